# `make run`: install what is needed and open the referee. `make test`: the same, and pass every test.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ON_PI  := $(shell test -e /usr/lib/python3/dist-packages/picamera2 && echo yes)
# On a Pi the system's picamera2 and lgpio are used, so the environment must see them (and keep its numpy).
# Everywhere else the packages are those of the lock files, with their hashes, so that a check means the same on every
# machine. The files name every package; --no-deps, because the pip of Python 3.11 wants a second pin for one with extras.
# LOCKED= installs the newest packages that pyproject.toml allows, under the constraints in CONSTRAIN.
VENV_FLAGS := $(if $(ON_PI),--system-site-packages,)
LOCKED     := $(if $(ON_PI),,yes)
CONSTRAIN  := $(if $(ON_PI),$(shell $(PYTHON) -c 'import numpy; print("-c systemd/numpy1.txt" if numpy.__version__ < "2" else "")'),)
INSTALL    := $(BIN)/python -m pip install --quiet

.PHONY: run test long quick cov oldest check pi-wheels units check-js contract fuzz docs drawings screens lock clean

run: $(VENV)/.installed
	$(BIN)/tablecoin serve $(ARGS)

# Linters, type checkers and all tests but the long ones, in five minutes on two cores. It prints what they cost.
test: $(VENV)/.dev
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.installed; \
	else echo "node is not installed: the page's JavaScript is not checked"; fi
	$(BIN)/python -m tests.run

# The tests that take many minutes: strength of play, whole journeys, all crash points, sieges, memory, the oldest libraries,
# install.sh on Debian 12 and 13 (root, mmdebstrap and a network; skipped without). All of them, or one part of five that
# take about equally long: make long PART=0. PART=commit is the part of the newest commit. Some: make long ROOMS=tests/lab
PART =
long: $(VENV)/.dev
	$(BIN)/python -m tests.parts $(PART) $(ROOMS)

# While you edit: the fast tests of the rooms that differ from HEAD, and some of those that import them. ROOMS=tests runs
# the fast tests of all rooms, ROOMS=tests/referee those of one.
quick: $(VENV)/.dev
	$(BIN)/python -m tests.quick $(ROOMS)

# Every test, and which lines and branches of tablecoin/ and web/ it reached. Slower than `make test`.
cov: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report=term-missing:skip-covered -m "not long"

# The quick tests of the rooms that work on arrays, with what Raspberry Pi OS Bookworm is left with: numpy 1, and so
# OpenCV 4.11. Python 3.11 or 3.12.
ARRAYS = tests/calibration tests/lab tests/mat tests/opponents tests/photos tests/storage tests/virtual tests/vision
oldest:
	$(MAKE) quick VENV=.venv-oldest LOCKED= CONSTRAIN='-c systemd/numpy1.txt' ROOMS='$(or $(ROOMS),$(ARRAYS))'

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.texts
	$(BIN)/mypy

# Whether every package has a wheel for a Raspberry Pi: Bookworm with its numpy 1, Bookworm with numpy 2, Trixie. All at
# once, because each waits for the package index.
pi-wheels: $(VENV)/.installed
	rm -rf build/wheel && $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	printf '%s\n' '1 3.11' '2 3.11' '1 3.13' | xargs -P 3 -L 1 sh -c \
		'WHEEL=$$(echo build/wheel/*.whl) NUMPY=$$0 PYTHON=$(BIN)/python systemd/wheels.sh --dry-run $$1'

# What systemd thinks of the units: 0 is best, 10 worst, below 5 is OK.
units:
	@for unit in systemd/*.service; do systemd-analyze security --offline=yes --no-pager $$unit | tail -n 1; done

# The page's JavaScript: ESLint, and TypeScript over its JSDoc types. Without node it is left unchecked.
check-js:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.installed && npm run --silent check; \
	else echo "node is not installed: the page's JavaScript is not checked"; fi

node_modules/.installed: package-lock.json
	npm ci --silent --no-audit --no-fund
	touch $@

# The OpenAPI file, the page's types and the schema of the messages over MQTT, each from the structs that are sent.
contract: $(VENV)/.dev
	$(BIN)/python -m web.openapi > docs/openapi.json
	$(BIN)/python -m web.typescript > web/contract.d.ts
	$(BIN)/python -m tablecoin.mqtt.schema > docs/mqtt.schema.json

# The drawings of hardware.md, from the pin table that the program uses.
drawings: $(VENV)/.dev
	$(BIN)/python docs/drawings.py

# Screenshots of every page and main state in docs/screens/, or of the states named: make screens ONLY='home start'.
screens: $(VENV)/.dev
	$(BIN)/python -m docs.screens $(ONLY)

# A hundred thousand made-up files, requests and pictures, then a minute of made-up calls against the running
# application: none may end in a traceback or a 5xx. A smaller run, the same every time: make fuzz CASES=20000 EXAMPLES=4
CASES = 100000
EXAMPLES =
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzzing.fuzz --cases $(CASES)
	$(BIN)/python -m tests.web.fuzz $(if $(EXAMPLES),--examples $(EXAMPLES))

# The documentation as a site in build/site/, from the same files. Strict: a page or link that is missing is an error.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The newest versions that pyproject.toml allows, for every Python from 3.11 on (markers tell them apart), with the hashes
# of all their files. requirements.lock is what `make run` needs, in the versions of requirements-dev.lock.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --generate-hashes \
	--custom-compile-command 'make lock' pyproject.toml --group build
lock: $(VENV)/.installed
	$(INSTALL) uv
	$(COMPILE) --group dev --group docs --output-file requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock --output-file requirements.lock

$(VENV)/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV_FLAGS) $(VENV)
ifdef LOCKED
	$(INSTALL) --require-hashes --no-deps -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
else
	$(INSTALL) --upgrade 'pip>=25.1'
	$(INSTALL) $(CONSTRAIN) --editable .
endif
	touch $@

$(VENV)/.dev: $(VENV)/.installed requirements-dev.lock
	$(INSTALL) $(if $(LOCKED),--require-hashes --no-deps -r requirements-dev.lock,$(CONSTRAIN) --group build --group dev --group docs)
	touch $@

clean:
	rm -rf $(VENV) .venv-oldest .venv-home node_modules build/site .pytest_cache .mypy_cache .ruff_cache
