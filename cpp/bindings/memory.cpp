// The memory that the core keeps between calls.
#include "base/memory_pool.hpp"
#include "modules.hpp"

namespace rlap {

void bind_memory(nanobind::module_& module) {
    using namespace nanobind::literals;
    module.def("limit_kept_bytes", limit_kept_bytes, "bytes"_a);
    module.def("kept_bytes", kept_bytes);
}

}  // namespace rlap
