// Parts of neural layers. Results are written to arrays that the caller gives, which are tensors of torch.
#include "nn/layers.hpp"

#include "arrays.hpp"
#include "modules.hpp"

namespace rlap {
namespace {

template <class T, int dimensions>
using Result = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class T>
void run_drop(const In<T>& in, const Result<T, 1>& out, std::uint64_t seed, std::int64_t begin, std::uint32_t least,
              double scale, int threads) {
    require(in.shape(0) == out.shape(0), "out must be as long as the entries", in.shape(0), out.shape(0));
    require(begin >= 0 && begin < std::int64_t{1} << 62, "begin must lie in [0, 2**62)", begin);
    unlocked([&] {
        drop_entries(in.data(), out.data(), static_cast<std::int64_t>(in.shape(0)), {seed, begin, least, scale},
                     threads);
    });
}

template <class T>
Out<double> run_prelu(const In2<T>& x, const In2<T>& gradient, const In<T>& slope, const Result<T, 2>& to_x,
                      int threads) {
    const std::size_t rows = x.shape(0), columns = x.shape(1);
    require(gradient.shape(0) == rows && gradient.shape(1) == columns, "the gradient must have the shape of x",
            gradient.shape(0), gradient.shape(1));
    require(to_x.shape(0) == rows && to_x.shape(1) == columns, "to_x must have the shape of x", to_x.shape(0),
            to_x.shape(1));
    require(slope.shape(0) == 1 || slope.shape(0) == columns, "there must be one slope, or one for each column",
            slope.shape(0));
    Buffer<double> to_slope(columns);
    unlocked([&] {
        prelu_gradient({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), x.data(), gradient.data(),
                        slope.data(), slope.shape(0) != 1, to_x.data(), to_slope.data()},
                       threads);
    });
    return give(to_slope);
}

}  // namespace

void bind_layers(nb::module_& module) {
    module.def("drop_entries", &run_drop<float>, "entries"_a, "out"_a, "seed"_a, "begin"_a, "least"_a, "scale"_a,
               "threads"_a);
    module.def("drop_entries", &run_drop<double>, "entries"_a, "out"_a, "seed"_a, "begin"_a, "least"_a, "scale"_a,
               "threads"_a);
    module.def("prelu_gradient", &run_prelu<float>, "x"_a, "gradient"_a, "slope"_a, "to_x"_a, "threads"_a);
    module.def("prelu_gradient", &run_prelu<double>, "x"_a, "gradient"_a, "slope"_a, "to_x"_a, "threads"_a);
}

}  // namespace rlap
