# The two commands: `make start` and `make test`. Everything they need beyond Node and make, they install.

.DEFAULT_GOAL := help
DATA_DIR ?= ./data
export DATA_DIR

.PHONY: help start dev test test-long soak check fmt ingest bench clients clean redis sample

help: ## Lists what there is to make.
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

start: redis sample ## Installs, builds, publishes the sample when there is no snapshot yet, serves.
	@LOG_LEVEL=$${LOG_LEVEL:-warn} npm start --silent -- --invite

dev: redis sample ## Like start, and builds and starts anew whenever a source file changes.
	@node scripts/dev.mjs

# The checks run beside the tests, which leave cores idle while they wait for disks and processes. What checks find
# comes last, so that nobody has to look for it.
test: node_modules/.ready ## Runs every test, and beside them checks types, style and arrows; ONLY=test/query for one file or folder.
	@.ci/needs redis chromium curl
	@said=$$(mktemp) && trap 'rm -f "$$said"' EXIT; \
	$(MAKE) --no-print-directory check >"$$said" 2>&1 & checking=$$!; \
	TYPES_CHECKED_BESIDE=1 npm test --silent -- --json --outputFile=.jest.json $(ONLY); tests=$$?; \
	wait $$checking || { cat "$$said"; echo 'The checks of types, style, arrows and dead code fail: make check'; exit 1; } >&2; \
	exit $$tests

test-long: export TEST_SEED := $(or $(TEST_SEED),$(shell date +%s))
test-long: redis dist ## Runs the long tests: mutants by the ten thousand, random months, properties in depth, real public files where they are at hand; TEST_SEED=number repeats a run.
	@echo "TEST_SEED=$$TEST_SEED"
	@npm test --silent -- --testPathIgnorePatterns /node_modules/ --testMatch '**/test/long/**/*.test.ts'
	@TEST_DEPTH=25 npm test --silent -- $$(grep -rl 'support/depth.ts' test)

soak: redis dist ## Publishes, rolls back, walks and exports for so long, then looks for what is left: make soak MINUTES=120
	@MINUTES=$(or $(MINUTES),10) npm test --silent -- --testPathIgnorePatterns /node_modules/ --testMatch '**/test/long/soak.test.ts'

check: node_modules/.ready ## Checks types, format, lint, arrows between folders and dead code.
	@npm run --silent types
	@npm run --silent lint
	@npm run --silent arrows
	@npm run --silent dead

fmt: node_modules/.ready ## Formats everything.
	@npm run --silent fmt

ingest: dist ## Publishes a folder of sources: make ingest SRC=dir MONTH=2026-11
	@test -n "$(SRC)" && test -n "$(MONTH)" || { echo 'usage: make ingest SRC=dir MONTH=YYYY-MM' >&2; exit 2; }
	@npm run --silent ingest -- publish "$(SRC)" --month "$(MONTH)"

bench: redis dist ## Prints the benchmark table and writes bench/report.html; ONLY=hot,walk for some rows, BENCH_BEFORE=file to compare with an earlier report.json.
	@node dist/bench/main.js

# Whoever names a Redis of their own needs none here.
redis:
	@test -n "$$REDIS_URL" || .ci/needs redis

clients: ## Builds the clients: the Python package as a wheel, in clients/python/dist, and clients/typescript/dist.
	@python3 -m pip wheel --quiet --no-deps --wheel-dir clients/python/dist ./clients/python
	@ls clients/python/dist/*.whl
	@cd clients/typescript && npm ci --ignore-scripts --loglevel=error && npm run --silent build
	@ls clients/typescript/dist/src/index.js

clean: ## Removes what was built and installed; data stays.
	rm -rf dist node_modules coverage .jest.json

dist: node_modules/.ready
	@npm run --silent build
.PHONY: dist

node_modules/.ready: package.json package-lock.json
	@node -e 'if (parseInt(process.versions.node) < 20) { console.error("Node " + process.versions.node + " is too old; install Node 20 or newer"); process.exit(1) }'
	@npm ci --ignore-scripts --loglevel=error
	@touch $@

# Runs a command, and shows what it says only when it fails.
QUIETLY = sh -c 'said=$$("$$@" 2>&1) || { code=$$?; echo "$$said" >&2; exit $$code; }' --

# Two synthetic months, so that there is something to compare. The shell looks for the snapshot, because the name of a
# target cannot hold a space and DATA_DIR may. The file .sample is there while the sample is not complete: a start that
# was killed after the first month is finished by the next one, unless another snapshot is current by then.
sample: dist
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
