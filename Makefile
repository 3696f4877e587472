# Every target makes .venv when there is none, and builds the core anew when its sources have changed.
# Python's sources are used where they lie.

PYTHON ?= $(or $(shell command -v python3.11),python3)
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc)

INSTALLED := $(VENV)/.installed
BUILT := $(VENV)/.built
SANITIZED := build/sanitize
RACES := build/races
FUZZED := build/fuzz
CLANG ?= $(or $(shell command -v clang++),$(shell command -v clang++-14))
SECONDS ?= 60
WHEEL := build/wheel

.PHONY: demo test torture bench lint sanitize fuzz cross wheel-check clean

demo: $(BUILT)
	$(BIN)/python examples/demo.py

test: $(BUILT)
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal

# Overnight: a million calls, 200,000 files, 1,000 kills, 1,000 flips. SCALE=0.01 is a quick try.
torture: $(BUILT)
	$(BIN)/python -m tests.torture --scale $(or $(SCALE),1) --jobs $(JOBS) $(TORTURE)

bench: $(BUILT)
	$(BIN)/python benchmarks/core.py

lint: $(BUILT)
	$(BIN)/python -m pytest tests/test_style.py

# Requirements of all extras, at the versions of constraints.txt; all but torch are compared with the hashes of
# requirements.lock (.ci/lock.py writes it).
$(INSTALLED): pyproject.toml constraints.txt requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import tomllib; all = tomllib.load(open("pyproject.toml", "rb")); project = all["project"]; \
	  extras = project["optional-dependencies"].values(); \
	  print(*all["build-system"]["requires"], *project["dependencies"], *sum(extras, []), sep="\n")' > $@
	$(BIN)/python -m pip install -qq --require-hashes --no-deps --requirement requirements.lock && \
	  $(BIN)/python -m pip install -qq --constraint constraints.txt --requirement $@ || { rm $@; exit 1; }

# Without isolation, so that what has not changed is not compiled again.
$(BUILT): $(INSTALLED) CMakeLists.txt $(wildcard cpp/*/*)
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python -m pip install -qq --no-build-isolation --no-deps --editable .
	touch $@

# AddressSanitizer and UndefinedBehaviorSanitizer: first the core's own tests, with leak detection, then what goes through
# Python. The interpreter that .venv was made from does not know the package that is installed there, and takes the copy
# with the sanitized core. Its exceptions are watched too, which needs their library to be there from the start.
# ThreadSanitizer, which does not go with the others, watches the core's own tests.
sanitize: $(BUILT)
	cmake -S . -B $(SANITIZED) -DRLAP_SANITIZE=address,undefined -DRLAP_CPP_TESTS=ON \
	  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
	GNUMAKEFLAGS=--no-print-directory cmake --build $(SANITIZED) --parallel $(JOBS)
	ASAN_OPTIONS=detect_leaks=1 ctest --test-dir $(SANITIZED) --output-on-failure
	rm -rf $(SANITIZED)/python && mkdir -p $(SANITIZED)/python/rlap
	ln -s $(filter-out %.so,$(abspath $(wildcard src/rlap/*))) $(SANITIZED)/python/rlap
	ln -s $(CURDIR)/$(SANITIZED)/_core*.so $(SANITIZED)/python/rlap
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONPATH=$(SANITIZED)/python:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
	  $$($(BIN)/python -c 'import sys; print(sys._base_executable)') tests/cpp/sanitized.py $(SANITIZED)
	cmake -S . -B $(RACES) -DRLAP_SANITIZE=thread -DRLAP_CPP_TESTS=ON -DRLAP_PYTHON=OFF \
	  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1
	GNUMAKEFLAGS=--no-print-directory cmake --build $(RACES) --parallel $(JOBS)
	ctest --test-dir $(RACES) --output-on-failure --parallel $(JOBS)

# Broken and valid input: for SECONDS clang's fuzzer on a core that watches itself, and as long calls from Python. What
# was found stays in build/fuzz, and is where the next run begins.
fuzz: $(BUILT)
	cmake -S . -B $(FUZZED) -DCMAKE_CXX_COMPILER=$(CLANG) -DRLAP_FUZZ=ON -DRLAP_PYTHON=OFF \
	  -DRLAP_SANITIZE=fuzzer-no-link,address,undefined -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O2
	GNUMAKEFLAGS=--no-print-directory cmake --build $(FUZZED) --parallel $(JOBS)
	for target in $(notdir $(wildcard tests/fuzz/corpus/*)); do mkdir -p $(FUZZED)/$$target; echo $$target; done | \
	  ASAN_OPTIONS=quarantine_size_mb=8 xargs -P $(JOBS) -I @ sh -c '$(FUZZED)/tests/fuzz/fuzz_@ \
	  $(FUZZED)/@ tests/fuzz/corpus/@ -max_total_time=$$(($(SECONDS) * $(JOBS) / 5)) -max_len=256 -timeout=25 \
	  -verbosity=0 -print_final_stats=1 -artifact_prefix=$(FUZZED)/@-'
	$(BIN)/python -m tests.fuzz.api --seconds $(SECONDS) --jobs $(JOBS)

# Without a warning by other compilers and for other systems, and with the same bits where it can be run.
cross: $(INSTALLED)
	$(BIN)/python -m pip install -qq ziglang==0.17.0
	tests/cpp/cross.sh $(abspath $(BIN)/python) "$(CXX)" $(JOBS)

# A wheel, as a stranger gets it, where nothing but NumPy and SciPy is installed.
wheel-check: $(BUILT)
	rm -rf $(WHEEL)
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python -m pip wheel -qq --no-deps --wheel-dir $(WHEEL) \
	  --config-settings=build-dir=$(WHEEL)/build .
	$(PYTHON) -m venv $(WHEEL)/venv
	$(WHEEL)/venv/bin/python -m pip install -qq --constraint constraints.txt $(WHEEL)/*.whl
	$(WHEEL)/venv/bin/python -I tests/check_wheel.py

clean:
	rm -rf build $(BUILT)
