# Two commands: `make demo` and `make test`. Each does its own set-up.

.PHONY: demo test build format
.DEFAULT_GOAL := build

build:
	@tools/setup build
	@cmake --preset release >build/configure.log 2>&1 || { mkdir -p build; cat build/configure.log; exit 1; }
	@cmake --build --preset release
