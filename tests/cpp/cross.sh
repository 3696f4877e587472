#!/usr/bin/env bash
# Run by `make cross`: other compilers, and the clang of PyPI's ziglang for other systems, compile the core without a
# warning. What they make for Linux is run, in qemu if need be, and must compute the bits of golden.txt.
set -euo pipefail
python=$1 compiler=$2 jobs=$3

build() { # NAME COMPILER TARGET OPTION...
    printf '%s: ' "$1"
    # Nothing is linked that is not run: ziglang would have to make a whole C++ library first.
    local only=''
    [ "$3" != rlap_core ] || only=' -c'
    CXX=$2$only cmake -S . -B "build/cross/$1" -DRLAP_PYTHON=OFF -DRLAP_CPP_TESTS=ON -DCMAKE_CXX_FLAGS=-Werror \
        -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY "${@:4}" >/dev/null
    cmake --build "build/cross/$1" --parallel "$jobs" --target "$3" -- --silent >/dev/null
    echo compiled
}

zig() { # SYSTEM (ITS NAME FOR CMAKE) TARGET OPTION...
    build "$1" "$python -m ziglang c++ -target $1" "$3" -DCMAKE_SYSTEM_NAME="$2" -DCMAKE_SYSTEM_PROCESSOR="${1%%-*}" "${@:4}"
}

run() { # NAME OPTION...
    ctest --test-dir "build/cross/$1" --parallel "$jobs" --output-on-failure "${@:2}" | tail -n 3
}

build host "$compiler" golden
run host -R golden
if command -v clang++ >/dev/null; then
    build clang clang++ golden
    run clang -R golden
fi
zig x86_64-linux-musl Linux golden
run x86_64-linux-musl -R golden
if qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static); then
    zig aarch64-linux-musl Linux all -DCMAKE_CROSSCOMPILING_EMULATOR="$qemu"
    run aarch64-linux-musl
else
    zig aarch64-linux-musl Linux rlap_core
    echo 'No qemu: what was compiled for ARM is not run.'
fi
zig x86_64-macos Darwin rlap_core -DCMAKE_BUILD_TYPE=Debug
zig aarch64-macos Darwin rlap_core -DCMAKE_BUILD_TYPE=Debug
zig x86_64-windows-gnu Windows rlap_core -DCMAKE_BUILD_TYPE=Debug
