# The main commands are `make start` and `make test`. They install everything that they need, except Node and make.

.DEFAULT_GOAL := help
DATA_DIR ?= ./data
export DATA_DIR

.PHONY: help start dev test test-long soak check fmt ingest bench clients clean redis sample

help: ## Lists what there is to make.
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

start: redis sample ## Installs, builds, publishes the sample when there is no snapshot yet, serves.
	@LOG_LEVEL=$${LOG_LEVEL:-warn} npm start --silent -- --invite

dev: redis sample ## Like start, and rebuilds and restarts whenever a source file changes.
	@node scripts/dev.mjs

# The checks run at the same time as the tests, because tests that wait for disks and processes leave cores idle. The
# output of failed checks is printed last, where it is seen. With ONLY, all checks would take longer than the tests, so
# only the types are checked.
test: node_modules/.ready ## Runs all tests but the long ones, and all checks; ONLY=test/query runs one file or folder, and checks types alone.
	@for only in $(ONLY); do case $$only in \
	  test/long*) echo "ONLY=$$only: the long tests run with make test-long" >&2; exit 2;; \
	  *) [ -e "$$only" ] || { echo "ONLY=$$only: there is no such file or folder; name one below test" >&2; exit 2; };; \
	esac; done
	@.ci/needs redis chromium curl
	@output=$$(mktemp) && trap 'rm -f "$$output"' EXIT; \
	$(if $(ONLY),npm run --silent types,$(MAKE) --no-print-directory check) >"$$output" 2>&1 & checking=$$!; \
	TYPES_CHECKED_BESIDE=1 npm test --silent -- --json --outputFile=.jest.json $(ONLY); tests=$$?; \
	wait $$checking || { cat "$$output"; echo 'The checks of types, style, imports or dead code fail: make check'; exit 1; } >&2; \
	exit $$tests

test-long: export TEST_SEED := $(or $(TEST_SEED),$(shell date +%s))
# The long tests measure times, so each of them gets a core. The second part runs even when the first one fails. The last
# lines say how both ended, and which tests this machine could not run.
test-long: redis dist ## Runs the long tests, which takes hours: mutants, random months, properties in depth; TEST_SEED=7 repeats a run.
	@.ci/needs chromium curl
	@echo "TEST_SEED=$$TEST_SEED"
	@export NOT_TRIED=$$(mktemp) && trap 'rm -f "$$NOT_TRIED"' EXIT; \
	npm test --silent -- --maxWorkers=100% --testPathIgnorePatterns /node_modules/ --testMatch '**/test/long/**/*.test.ts'; long=$$?; \
	TEST_DEPTH=25 npm test --silent -- $$(grep -rlE 'support/(depth|within).ts' test --include=*.test.ts); deep=$$?; \
	ended() { [ "$$1" = 0 ] && echo "$$2: passed" || echo "$$2: failed, see above"; }; \
	ended $$long 'The long tests'; \
	ended $$deep 'The other tests in depth'; \
	sort -u "$$NOT_TRIED"; \
	exit $$((long || deep))

soak: redis dist ## Puts a server under load, then looks for leaks: make soak MINUTES=120
	@MINUTES=$(or $(MINUTES),10) npm test --silent -- --testPathIgnorePatterns /node_modules/ --testMatch '**/test/long/soak.test.ts'

check: node_modules/.ready ## Checks types, format, lint, imports between folders and dead code.
	@npm run --silent types
	@npm run --silent lint
	@! echo "$$PWD" | grep -q '#' || { \
	  echo 'dependency-cruiser reads no folder with # in its name: check the imports in a copy of the project elsewhere' >&2; exit 1; }
	@npm run --silent arrows
	@npm run --silent dead

fmt: node_modules/.ready ## Formats everything.
	@npm run --silent fmt

ingest: dist ## Publishes a folder of sources: make ingest SRC=dir MONTH=2026-11
	@test -n "$(SRC)" && test -n "$(MONTH)" || { echo 'usage: make ingest SRC=dir MONTH=YYYY-MM' >&2; exit 2; }
	@npm run --silent ingest -- publish "$(SRC)" --month "$(MONTH)"

bench: redis dist ## Prints the benchmark table and writes bench/report.html; docs/performance.md has its options.
	@node dist/bench/main.js

# With REDIS_URL set, no redis-server is needed here.
redis:
	@test -n "$$REDIS_URL" || .ci/needs redis

clients: ## Builds the clients: a Python wheel in clients/python/dist, and clients/typescript/dist.
	@python3 -m pip wheel --quiet --no-deps --wheel-dir clients/python/dist ./clients/python
	@ls clients/python/dist/*.whl
	@cd clients/typescript && npm ci --ignore-scripts --loglevel=error && npm run --silent build
	@ls clients/typescript/dist/src/index.js

clean: ## Removes what was built and installed, but no data.
	rm -rf dist node_modules coverage .jest.json

dist: node_modules/.ready
	@[ -e dist ] || echo 'Building, which may take a minute.' >&2
	@npm run --silent build
.PHONY: dist

node_modules/.ready: package.json package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); if (major < 20 || (major === 20 && minor < 19)) { console.error("Node " + process.versions.node + " is too old; install Node 20.19 or newer"); process.exit(1) }'
	@node scripts/installed.mjs || { echo 'Installing the packages, which may take two minutes.' >&2; npm ci --ignore-scripts --loglevel=error; }
	@touch $@

# Runs a command, and shows its output only when it fails.
QUIETLY = sh -c 'output=$$("$$@" 2>&1) || { code=$$?; echo "$$output" >&2; exit $$code; }' --

# Publishes two synthetic months, so that there is a change to look at. The shell tests whether there is a snapshot: a
# target of make cannot do it, because DATA_DIR may contain a space. The file .sample exists until both months are
# published. If a start is killed after the first month, the next start publishes the second one, unless another snapshot
# is current by then.
sample: dist
	@case "$$DATA_DIR" in ''|[[:space:]]*|*[[:space:]]|\"*\"|\'*\'|'~'*|'$$'*) \
	  echo "DATA_DIR: \"$$DATA_DIR\" is not a folder; use a path, without spaces or quotes around it; ~ and \$$HOME are not expanded" >&2; exit 2;; esac
	@[ -e "$$DATA_DIR/current" ] || { \
	  echo 'Publishing a synthetic sample of two months.' && \
	  mkdir -p "$$DATA_DIR" && touch "$$DATA_DIR/.sample" && \
	  $(QUIETLY) npm run --silent sample -- "$$DATA_DIR/sources" && \
	  $(QUIETLY) npm run --silent ingest -- publish "$$DATA_DIR/sources/2026-10" --month 2026-10; \
	}
	@[ ! -e "$$DATA_DIR/.sample" ] || { \
	  { [ "$$(readlink "$$DATA_DIR/current")" != snapshots/2026-10.1 ] || \
	    $(QUIETLY) npm run --silent ingest -- publish "$$DATA_DIR/sources/2026-11" --month 2026-11; } && \
	  rm -f "$$DATA_DIR/.sample"; \
	}
