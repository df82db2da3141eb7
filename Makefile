# The two commands a newcomer needs are `make run` and `make test`; the rest is for those who work here.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run check test test-quick test-units test-servers test-postgres bench chaos soak audit sbom lint format env lock docs messages compile-messages clean

run: $(VENV)/.run-stamp
	@$(BIN)/python manage.py up --demo --port $(PORT)

# Three minutes: what is quick to say before a commit.
check: lint test-quick

test-quick: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.everything --only units --quick

# The fast tier: the same tests at every commit; CI runs it.
test: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.everything

test-units: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.everything --only units

test-servers: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.everything --only servers

# Marked tests once more on PostgreSQL, where locks are real; says so if there is no server.
test-postgres: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.everything --only postgresql

# About half an hour, on a machine that has nothing else to do; writes docs/performance.md and the table of docs/bots.md.
bench: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.house

# Ten minutes of killing things under a running service (docs/exactness.md).
chaos: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.chaos

# Over two hours: every test, all pairs of worlds and fresh ones, a thousand simulated months, races,
# 500 kills; writes docs/exactness.md.
soak: $(VENV)/.dev-stamp
	$(BIN)/python -m tests.soak

lint: $(VENV)/.dev-stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tests.lint_migrations
	$(BIN)/python -m tests.check_deploy
	$(BIN)/python -m tests.audit

# Known vulnerabilities of what the service runs on; `make lint` does it where the feed can be reached.
audit: .venv-audit/.stamp
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.txt

# The bill of materials of what the service runs on, in CycloneDX.
sbom: .venv-audit/.stamp
	.venv-audit/bin/cyclonedx-py requirements --output-reproducible --of JSON -o sbom.json requirements.txt
	@echo "sbom.json lists what the service runs on."

format: $(VENV)/.dev-stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

env: $(VENV)/.dev-stamp

# Needs `pip install uv`; the locks carry hashes for every platform.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements.in -o requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements-dev.in -o requirements-dev.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements-audit.in -o requirements-audit.txt

# Writes the pictures and tables of docs/games anew from the rules.
docs: $(VENV)/.dev-stamp
	$(BIN)/python manage.py write_docs

# Collects what is to be translated; needs GNU gettext. The compiled catalogues are kept in the repository.
messages: $(VENV)/.dev-stamp
	$(BIN)/python manage.py makemessages --all --no-location --ignore ".venv*" --ignore tests

compile-messages: $(VENV)/.dev-stamp
	$(BIN)/python manage.py compilemessages --ignore ".venv*"

clean:
	rm -rf $(VENV) .venv-newer .venv-audit sbom.json var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Estafette needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making the environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "On Debian and Ubuntu, install the package python3-venv first."; exit 1; }

.venv-audit/.stamp: requirements-audit.txt
	@$(PYTHON) -m venv .venv-audit
	@.venv-audit/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements-audit.txt
	@touch $@

$(VENV)/.run-stamp: requirements.txt | $(VENV)/bin/python
	@echo "Installing what the service runs on (hashes checked) ..."
	@$(PIP) install --no-deps --require-hashes -r requirements.txt
	@touch $@

# That lock holds the other one too. Both are complete, so there is nothing to look for.
$(VENV)/.dev-stamp: requirements-dev.txt | $(VENV)/bin/python
	@echo "Installing what the service, its tests and its checks need (hashes checked) ..."
	@$(PIP) install --no-deps --require-hashes -r requirements-dev.txt
	@$(PIP) check
	@touch $@
