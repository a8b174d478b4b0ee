# Yukon Solitaire. `make run` and `make test` work on a machine with Python 3.11+ and make alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --root-user-action ignore
HOST ?= 127.0.0.1
PORT ?= 8000
TESTERS ?= 3
# In the files' order: by their numbers of tests, whole games and axe would be left for the end.
TOGETHER = --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder
EXTRACT := --mapping-file babel.cfg --keywords later --keywords CodeError:1 --keywords MoveError:1 \
	--keywords RecordError:1 --keywords NothingToUndoError:1 --no-location --sort-output --omit-header

# Where bytecode may not be kept, every process that a test starts would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: messages help setup compile run test test-quick test-database check format bench bench-solver lock clean

help:
	@echo "make setup    the environment alone, after which $(BIN)/yukon is the command"
	@echo "make run      serve the game on http://$(HOST):$(PORT)/ (HOST=, PORT=)"
	@echo "make test     all tests, in a real browser too"
	@echo "make test-quick     without the browser;  make test-database     the server's, on YUKON_DATABASE_URL"
	@echo "make compile  the solver's code, which the first start would compile"
	@echo "make check    format, lint, types, layers, templates"
	@echo "make bench    the figures: engine, server, leaderboard, browser"
	@echo "make bench-solver        the solver's figures (RULES=CRFSAPD DEALS=1000)"
	@echo "make messages the sources' messages into the languages' catalogues"
	@echo "make format   bring the sources into form"
	@echo "make lock     renew requirements.lock from pyproject.toml"

setup: $(STAMP)

# By uv, which takes seconds where pip takes a minute, and by pip where uv finds nothing.
$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock | $(PIP) --require-hashes --requirement /dev/stdin
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock || \
		$(PIP) --require-hashes --requirement requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# The solver's compiled code, once: processes that start together would each make all of it.
compile: setup
	$(BIN)/python -c "from app.jobs.tasks import warm_up; warm_up()"

run: setup
	$(BIN)/yukon serve --host $(HOST) --port $(PORT)

test: setup compile
	$(BIN)/python -m tests.browser
	$(BIN)/coverage erase
	$(BIN)/pytest $(TOGETHER) --cov --cov-report=
	$(BIN)/coverage report --include 'engine/*' --fail-under 100
	$(BIN)/coverage report --include 'app/*' --fail-under 95

test-quick: setup
	$(BIN)/pytest -m "not e2e"

test-database: setup compile
	@test -n "$$YUKON_DATABASE_URL" || { echo "YUKON_DATABASE_URL names no database"; exit 2; }
	$(BIN)/python -m tests.browser
	$(BIN)/pytest $(TOGETHER) tests/app tests/e2e/test_two_servers.py

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint templates --lint --quiet
	cd static/vendor && sha256sum --check --quiet CHECKSUMS
	cd tests/vendor && sha256sum --check --quiet CHECKSUMS

# What the sources say, into the catalogues; new messages are left to be translated.
messages: setup
	$(BIN)/pybabel --quiet extract $(EXTRACT) --output app/locale/messages.pot .
	for language in ca it ar es fr de; do \
		$(BIN)/pybabel --quiet update --init-missing --no-fuzzy-matching --ignore-obsolete --no-wrap \
			--ignore-pot-creation-date --input-file app/locale/messages.pot \
			--output-dir app/locale --locale $$language || exit; \
	done

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup
	$(BIN)/python -m tests.bench

bench-solver: setup
	$(BIN)/python -m tests.bench.bench_solver $(RULES) $(DEALS)

lock: setup
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --python-version 3.11 \
		--extra dev --upgrade --quiet pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis htmlcov .coverage*
