# A thin coat over CMake; `make help` lists what there is.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
# more for CMake's first step, as in  make CMAKE_FLAGS=-DRICO_WERROR=ON
CMAKE_FLAGS ?=

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.PHONY: build help demo python check install format lint sanitize experiment-small bench bench-peers bench-bodies bench-distance bench-elastic mpi clean configure viewer viewer-test

build: configure ## compile everything into build/
	cmake --build build -j $(JOBS)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

demo: ## install what is missing, build, simulate an impacting stick under two laws and draw it (out/demo)
	@tools/install-deps build
	@$(MAKE) configure
	cmake --build build -j $(JOBS) --target rico
	@examples/demo.sh build/rico out/demo

python: ## install what is missing, build the Python module into build/python
	@tools/install-deps python
	@$(MAKE) configure CMAKE_FLAGS="$(CMAKE_FLAGS) -DRICO_PYTHON=ON"
	cmake --build build -j $(JOBS) --target python
	@echo 'Use it by PYTHONPATH=build/python, or install it: docs/guide/python.md'

mpi: ## install what is missing (PETSc, Open MPI), build rico-mpi for several machines and test it on 1, 2 and 4 ranks
	@tools/install-deps mpi
	@$(MAKE) configure CMAKE_FLAGS="$(CMAKE_FLAGS) -DRICO_MPI=ON"
	cmake --build build -j $(JOBS) --target mpi
	@ctest --test-dir build -L '^mpi$$' --output-on-failure
	@echo 'Use it by mpirun -n 2 build/mpi/rico-mpi: docs/guide/mpi.md'

check: ## install what is missing, build, run every test
	@tools/install-deps test
	@$(MAKE) build
	@tools/run-tests build -j $(JOBS)

sanitize: ## run every test again under the address, leak and undefined-behaviour sanitizers
	@tools/install-deps test
	@cmake --preset sanitize --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
	cmake --build build-sanitize -j $(JOBS)
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 tools/run-tests build-sanitize -j $(JOBS)

lint: ## check the layout (clang-format) and look for mistakes (clang-tidy, cppcheck)
	@tools/install-deps ci
	@$(MAKE) configure
	@tools/lint build $(JOBS)

format: ## lay out every C file
	find include src tests bench examples python mpi -name '*.[ch]' | xargs clang-format -i

experiment-small: build ## draw 10^5 small contact problems and judge what every solver says of them; half an hour
	RICO_DRAWS=100000 build/tests/test_solve_small_problems

bench: build ## build and list the programs that measure
	@echo 'Run those you want; each says what it takes in its first lines:'; ls build/bench/bench_*

bench-peers: ## install Siconos and compare it with us, side by side (PEERS="folders or files of problems")
	@JOBS=$(JOBS) bench/peers/run.sh $(PEERS)

bench-bodies: ## install ODE, Bullet, MuJoCo, Jolt and Rapier and run scenes of rigid bodies beside them
	@JOBS=$(JOBS) bench/peers/bodies.sh $(SCENES)

bench-distance: ## install libccd, FCL, Bullet and MuJoCo and compare distances of shapes with theirs
	@JOBS=$(JOBS) bench/peers/distance.sh

bench-elastic: ## install CalculiX and GetFEM and run contact of elastic bodies beside them (CASES="hertz patch wedge cantilever")
	@JOBS=$(JOBS) bench/peers/elastic.sh $(CASES)

viewer: ## build the viewer anew into viewer/dist, with npm (make itself takes the one in the tree)
	@tools/install-deps viewer
	cd viewer && npm ci --no-audit --no-fund && npm run build

viewer-test: ## open examples in Chromium and look at what the viewer shows (screenshots in out/viewer)
	@tools/install-deps viewer
	@$(MAKE) configure
	cmake --build build -j $(JOBS) --target rico
	cd viewer && npm ci --no-audit --no-fund && RICO=$(CURDIR)/build/rico npm test

install: build ## install into $(DESTDIR)$(PREFIX)
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove what was built and what demos wrote
	rm -rf build build-debug build-sanitize out python/build python/ricochet.egg-info

configure:
	@command -v cmake >/dev/null || { echo "cmake is missing; tools/install-deps build installs it on Debian and Ubuntu, docs/guide/install.md tells the rest"; exit 1; }
	@cmake --preset release --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
