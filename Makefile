# `make demo`, `make test`, `make fuzz`, `make sanitize`, `make tsan`, `make bench` and `make bench-peers`. Each does its own set-up, and nothing when all is there.

.DEFAULT_GOAL := build
.PHONY: build cluster cluster-test demo test wheel fuzz sanitize tsan bench bench-labels bench-peers format clean

# $(call build_preset,NAME): configures only when asked for the first time; Ninja does the rest.
build_preset = mkdir -p build && { test -f build/$(1)/build.ninja || cmake --preset $(1) >build/$(1).log 2>&1 \
	|| { cat build/$(1).log; exit 1; }; } && cmake --build --preset $(1)

build:  ## the program, at build/release/heatfront
	@tools/setup build
	@$(call build_preset,release) --target heatfront_program

cluster:  ## the same program for many machines, on PETSc and MPI: build/release/heatfront-cluster, which heatfront becomes under mpiexec
	@tools/setup cluster
	@mkdir -p build && cmake --preset release >build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release --target heatfront_program --target heatfront_cluster_program

cluster-test: cluster  ## 1 to 4 processes of this machine against one; part of `make test` where PETSc is installed
	@tools/test_cluster build/release

demo: build  ## the main job on embedded data, offline
	@tools/demo build/release/heatfront

test:  ## everything
	@tools/setup test
	@tools/test

wheel:  ## a wheel of the Python package for this machine's Python, in build/wheels
	@tools/setup test
	@tools/wheel

fuzz:  ## damaged files into every reader: SECONDS=60 for each, TARGETS="npz csv …" for these alone, JOBS=n side by side
	@tools/setup test
	@$(call build_preset,fuzz)
	@SECONDS_EACH=$(SECONDS) JOBS=$(JOBS) tools/fuzz $(TARGETS)

sanitize:  ## all tests, and those of the Python package, in single precision under the address sanitizer, which `make test` has in double precision
	@tools/setup test
	@$(call build_preset,release) --target heatfront_program
	@$(call build_preset,dev)
	@ctest --preset dev
	@tools/test_python --sanitize

tsan:  ## what works in parallel, under the thread sanitizer; not part of `make test`, for its time
	@tools/setup test
	@tools/test_threads

bench:  ## the sparse product beside Eigen's and the memory's speed, a label set beside the flow; GRAPHS="cora rmat8 session …" for these alone
	@tools/setup bench
	@$(call build_preset,bench) --target heatfront_micro
	@build/bench/benchmarks/heatfront_micro $(GRAPHS) >build/micro.md
	@cp build/micro.md benchmarks/results/micro.md && cat build/micro.md

bench-labels:  ## what labels cost the linear front: all at once, the first that comes later, and more: benchmarks/results/labels.md
	@tools/setup bench
	@$(call build_preset,bench) --target heatfront_micro
	@build/bench/benchmarks/heatfront_micro labels >build/labels.md
	@cp build/labels.md benchmarks/results/labels.md && cat build/labels.md

build/peers/venv: benchmarks/peers/requirements.txt  # 6 GB: PyTorch as it is published brings libraries for GPUs along
	@tools/setup peers
	@rm -rf $@ && mkdir -p $(@D) && python3 -m venv $@
	@$@/bin/pip install --quiet --disable-pip-version-check -r $< && touch $@

bench-peers: build build/peers/venv  ## beside PyTorch, scipy and others; PEERS="training flow …" for these parts alone
	@build/peers/venv/bin/python benchmarks/peers/run.py $(QUICK:%=--quick) $(PEERS)

format:  ## lays out all sources
	@tools/setup test
	@git ls-files -z --cached --others --exclude-standard '*.h' '*.cpp' | xargs -0 clang-format-14 -i

clean:
	@rm -rf build
