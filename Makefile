# `make help` lists the targets. A newcomer needs `make run` and `make test`.
# PYTHON is python3, or the system's Python if python3 is compiled without profile-guided optimization,
# as pyenv does by default: everything takes nearly a third longer then. PYTHON=python3 uses it anyway.
OPTIMIZED := import sys, sysconfig; sys.exit(sys.version_info < (3, 11) or not (sys.base_prefix == "/usr" or "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS"))))
PYTHON ?= $(firstword $(shell for python in python3 /usr/bin/python3; do $$python -c '$(OPTIMIZED)' 2>/dev/null && echo $$python; done) python3)
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Without the package python3-venv, Debian's Python makes environments without pip. Another python3 has
# a pip that can be installed there.
PIP_WHEELS := import ensurepip, pathlib; print(*(pathlib.Path(ensurepip.__file__).parent / "_bundled").glob("*.whl"))
define make-environment
if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(1); \
else wheels=$$(python3 -c '$(PIP_WHEELS)' 2>/dev/null) && $(PYTHON) -m venv --without-pip $(1) && \
	python3 -m pip --disable-pip-version-check --quiet --python $(1)/bin/python install --no-index $$wheels; fi \
|| { rm -rf $(1); echo "On Debian and Ubuntu, install the package python3-venv first."; exit 1; }
endef
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.DEFAULT_GOAL := help
.PHONY: help run check test test-quick test-units test-servers test-postgres test-newer-python bench scale chaos soak audit sbom lint format env lock docs messages compile-messages clean

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run-stamp ## runs the service with demo players at http://localhost:8000 (PORT=8001)
	@$(BIN)/python manage.py up --demo --port $(PORT)

check: lint test-quick ## lint and quick tests: three minutes, before a commit

test-quick: $(VENV)/.dev-stamp ## the quick tests, without servers
	$(BIN)/python -m tests.everything --only units --quick

test: $(VENV)/.dev-stamp ## the fast tier, the same tests at every commit; CI runs it
	$(BIN)/python -m tests.everything

test-units: $(VENV)/.dev-stamp ## the part of `make test` without servers
	$(BIN)/python -m tests.everything --only units

test-servers: $(VENV)/.dev-stamp ## the part of `make test` that needs servers and browsers
	$(BIN)/python -m tests.everything --only servers

test-postgres: $(VENV)/.dev-stamp ## the part of `make test` that runs on PostgreSQL as well
	$(BIN)/python -m tests.everything --only postgresql

test-newer-python: $(VENV)/.dev-stamp ## units that may differ there: make PYTHON=python3.13 VENV=.venv-newer ...
	$(BIN)/python -m tests.everything --only newer-python

bench: $(VENV)/.dev-stamp ## measures speed on an idle machine, half an hour; writes docs/performance.md
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.house

scale: $(VENV)/.dev-stamp ## what a million matches cost, an idle machine and 20 GB of disk; writes docs/running/scale.md
	$(BIN)/python -m tests.bench.scale

chaos: $(VENV)/.dev-stamp ## kills parts of a running service for ten minutes (docs/exactness.md)
	$(BIN)/python -m tests.chaos

soak: $(VENV)/.dev-stamp ## all tests and long runs, two hours; writes docs/exactness.md
	$(BIN)/python -m tests.soak

lint: $(VENV)/.dev-stamp ## style, types, import contracts, words, templates, migrations, check --deploy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.lint_words
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tests.lint_migrations
	$(BIN)/python -m tests.check_deploy
	$(BIN)/python -m tests.audit

audit: .venv-audit/.stamp ## known vulnerabilities of dependencies; `make lint` runs it if the feed is reachable
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.txt

sbom: .venv-audit/.stamp ## writes sbom.json, the bill of materials (CycloneDX)
	.venv-audit/bin/cyclonedx-py requirements --output-reproducible --of JSON -o sbom.json requirements.txt
	@echo "Wrote sbom.json."

format: $(VENV)/.dev-stamp ## formats the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

env: $(VENV)/.dev-stamp ## creates the environment for tests and checks

lock: ## updates requirements*.txt from requirements*.in; needs uv
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(LOCK) requirements-audit.in -o requirements-audit.txt

docs: $(VENV)/.dev-stamp ## writes the tables and pictures of docs/games, docs/tables.md and docs/events.md
	$(BIN)/python manage.py write_docs
	$(BIN)/python -m tests.generated_pages

messages: $(VENV)/.dev-stamp ## collects texts to translate; needs GNU gettext
	$(BIN)/python manage.py makemessages --all --no-location --ignore ".venv*" --ignore tests

compile-messages: $(VENV)/.dev-stamp ## compiles translations; the compiled files are in the repository
	$(BIN)/python manage.py compilemessages --ignore ".venv*"

clean: ## deletes environments, caches and var
	rm -rf $(VENV) .venv-newer .venv-audit sbom.json var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Estafette needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Creating the environment in $(VENV) ..."
	@$(call make-environment,$(VENV))

.venv-audit/.stamp: requirements-audit.txt
	@$(call make-environment,.venv-audit)
	@.venv-audit/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements-audit.txt
	@touch $@

$(VENV)/.run-stamp: requirements.txt | $(VENV)/bin/python
	@echo "Installing the packages of the service (hashes checked) ..."
	@$(PIP) install --no-deps --require-hashes -r requirements.txt
	@touch $@

# This lock contains requirements.txt. Both are complete, so pip resolves no dependencies. Modules are
# compiled when they are first imported, which most never are.
$(VENV)/.dev-stamp: requirements-dev.txt | $(VENV)/bin/python
	@echo "Installing the packages of the service, tests and checks (hashes checked) ..."
	@$(PIP) install --no-compile --no-deps --require-hashes -r requirements-dev.txt
	@$(PIP) check
	@touch $@
