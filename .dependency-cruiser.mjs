// The arrows between the rooms. A request: main → serve → http/app → http/{api,pages} → http/server, http/pages →
// http/middleware, and http → {query, access, cache} → catalog → {duckdb, errors}. A workbook: ingest/cli → commands →
// every stage; and checks → staging → sources, report → guards → compare.
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|ingest)/', pathNot: [from, ...allowed] },
});

const library = (name, pattern, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^(src|ingest)/', pathNot: allowed },
  to: { path: `node_modules/${pattern}/` },
});

const oneEntry = (name, room, entry) => ({
  name,
  severity: 'error',
  from: { path: '^(src|ingest)/', pathNot: room },
  to: { path: `${room}(?!${entry}$)` },
});

const ERRORS = '^src/errors\\.ts$';
const OPERATOR_NAME = '^src/terminal/operatorName\\.ts$';
const BASICS = '^src/basics/';
const TEXT = '^src/text/';
const SYSTEM = '^src/system/';
const TERMINAL = '^src/terminal/';
const USAGE_ERROR = '^src/terminal/usageError\\.ts$';
const REDIS_ADDRESS = '^src/access/redis/redisAddress\\.ts$';
const STORE_ADDRESS = '^src/catalog/storeAddress\\.ts$';
const COMMAND_LINE = '^src/terminal/commandLine\\.ts$';
const COLLECT_GARBAGE = '^src/process/collectGarbage\\.ts$';
const COMPILE_TIMES = '^src/process/compileTimes\\.ts$';
const COMPILED_SCRIPT = '^src/process/compiledScript\\.ts$';
const OBSERVATIONS = '^src/observations\\.ts$';
const CONFIG = '^src/config/';
const DUCKDB = '^src/duckdb\\.ts$';
const CATALOG = '^src/catalog/';
const CACHE = '^src/cache/';
const LRU_CACHE = '^src/cache/lruCache\\.ts$';
const METRICS = '^src/metrics/';
const PROBES = '^src/http/probes\\.ts$';
const QUERY = '^src/query/';
const ACCESS = '^src/access/';
const GATE_REPLY = '^src/access/gate/gateReply\\.ts$';
const STORE = '^src/store/';
const HTTP_SERVER = '^src/http/server/';
const HTTP_MIDDLEWARE = '^src/http/middleware/';
const READER = '^ingest/sources/readers/(?!(?:zip|xml|formulas)/)[^/]+/';

// What every stage of ingest may use: the ground, and how problems and figures are worded.
const GROUND = [CATALOG, DUCKDB, BASICS, '^ingest/messages/'];

// Comparisons of figures that a first load and the guards share.
const FIGURES = '^ingest/figures/';

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('errors-import-nothing', ERRORS, []),
    only('basics-import-nothing', BASICS, []),
    only('text-imports-nothing', TEXT, []),
    only('system-imports-nothing', SYSTEM, []),
    only('config-knows-addresses-and-the-system', CONFIG, [REDIS_ADDRESS, STORE_ADDRESS, SYSTEM]),
    only('address-of-a-store-imports-nothing', STORE_ADDRESS, []),
    only('address-of-redis-imports-nothing', REDIS_ADDRESS, []),
    only('terminal-knows-config', TERMINAL, [CONFIG, TEXT]),
    only('usage-error-imports-nothing', USAGE_ERROR, []),
    only('observations-import-nothing', OBSERVATIONS, []),
    only('collect-garbage-imports-nothing', COLLECT_GARBAGE, []),
    only('compile-times-import-nothing', COMPILE_TIMES, []),
    only('process-knows-config', '^src/process/', [CONFIG, OBSERVATIONS]),
    only('log-knows-observations', '^src/log/', [OBSERVATIONS, TEXT]),
    only('duckdb-imports-nothing', DUCKDB, []),
    only('lru-cache-imports-nothing', LRU_CACHE, []),
    only('catalog-knows-the-ground', CATALOG, [LRU_CACHE, DUCKDB, ERRORS, BASICS, OBSERVATIONS]),
    only('store-knows-catalog', STORE, [CATALOG, SYSTEM, DUCKDB, OBSERVATIONS, BASICS]),
    only('cache-knows-the-ground', CACHE, [ERRORS]),
    only('query-knows-catalog-and-cache', QUERY, [
      CATALOG,
      CACHE,
      DUCKDB,
      BASICS,
      ERRORS,
      SYSTEM,
      OBSERVATIONS,
      TEXT,
    ]),
    only('parameters-know-the-ground', '^src/query/parameters/', [CATALOG, ERRORS, BASICS]),
    only('selection-knows-parameters', '^src/query/selection/', [
      '^src/query/(parameters/|(?:slices|gather)\\.ts$)',
      CATALOG,
      CACHE,
      DUCKDB,
      BASICS,
      ERRORS,
      OBSERVATIONS,
    ]),
    only('rendering-knows-tables', '^src/query/rendering/', [
      '^src/query/gather\\.ts$',
      CATALOG,
      CACHE,
      BASICS,
    ]),
    only('computations-know-selection', '^src/query/computations/', [
      '^src/query/(parameters/|selection/|(?:slices|gather)\\.ts$)',
      CATALOG,
      CACHE,
      BASICS,
      ERRORS,
    ]),
    only('metrics-know-observations-and-states', METRICS, [BASICS, OBSERVATIONS, CACHE, CATALOG, PROBES]),
    only('access-knows-the-ground', '^src/access/(?!cli\\.ts$|commands/)', [
      ACCESS,
      SYSTEM,
      BASICS,
      ERRORS,
      TEXT,
      OBSERVATIONS,
    ]),
    only('gate-knows-redis', '^src/access/gate/', ['^src/access/redis/', ERRORS, OBSERVATIONS]),
    only('keys-know-no-invites-or-people', '^src/access/keys/', [
      '^src/access/(redis/|audit\\.ts$|recordIndex\\.ts$|secret\\.ts$)',
      TEXT,
    ]),
    only('people-know-no-keys-or-invites', '^src/access/people/', [
      '^src/access/(redis/|audit\\.ts$|secret\\.ts$)',
    ]),
    only('keys-commands-know-config', '^src/access/(cli\\.ts$|commands/)', [
      ACCESS,
      CONFIG,
      OBSERVATIONS,
      SYSTEM,
      TERMINAL,
    ]),
    only('http-server-knows-errors', HTTP_SERVER, [ERRORS, OBSERVATIONS, BASICS, SYSTEM, GATE_REPLY]),
    only('http-middleware-knows-access', HTTP_MIDDLEWARE, [HTTP_SERVER, ACCESS, ERRORS, OBSERVATIONS]),
    only('http-api-knows-query-and-cache', '^src/http/api/', [
      HTTP_SERVER,
      QUERY,
      CACHE,
      CATALOG,
      BASICS,
      ERRORS,
      OBSERVATIONS,
    ]),
    only('http-pages-know-access', '^src/http/pages/', [
      LRU_CACHE,
      SYSTEM,
      HTTP_SERVER,
      HTTP_MIDDLEWARE,
      ACCESS,
      CATALOG,
      BASICS,
      ERRORS,
      TEXT,
      OBSERVATIONS,
    ]),
    only('http-knows-query-and-access', '^src/http/', [
      SYSTEM,
      QUERY,
      ACCESS,
      CACHE,
      CATALOG,
      BASICS,
      ERRORS,
      TEXT,
      OBSERVATIONS,
    ]),
    // Browser code: it knows the server by its API alone. Pure files know nothing of browsers or of preact.
    only('explorer-imports-nothing-of-the-server', '^src/explorer/', ['^src/basics/(?:lists|maps)\\.ts$']),
    {
      name: 'explorer-is-bundled-apart',
      severity: 'error',
      from: { path: '^(src|ingest)/', pathNot: '^src/explorer/' },
      to: { path: '^src/explorer/' },
    },
    {
      name: 'explorer-model-is-pure',
      severity: 'error',
      from: { path: '^src/explorer/model/' },
      to: { path: '(^src/explorer/(views|chart|stateStore|main)|node_modules/(preact|@observablehq)/)' },
    },
    library('preact-stays-in-the-explorer', '(preact|@observablehq)', ['^src/explorer/']),
    only('ingest-messages-know-printable', '^ingest/messages/', [TEXT, BASICS]),
    only('ingest-sources-know-the-ground', '^ingest/sources/', [
      COMPILE_TIMES,
      SYSTEM,
      COMPILED_SCRIPT,
      ...GROUND,
    ]),
    // A reader is one folder with one entry; zip, xml and formulas are libraries of the readers.
    {
      name: 'readers-have-one-entry',
      severity: 'error',
      from: { path: '^(src|ingest)/', pathNot: READER },
      to: { path: `${READER}(?!reader\\.ts$)` },
    },
    {
      name: 'readers-do-not-know-each-other',
      severity: 'error',
      from: { path: '^ingest/sources/readers/([^/]+)/' },
      to: { path: READER, pathNot: '^ingest/sources/readers/$1/' },
    },
    {
      name: 'libraries-of-readers-stay-in-readers',
      severity: 'error',
      from: { path: '^(src|ingest)/', pathNot: '^ingest/sources/readers/' },
      to: { path: '^ingest/sources/readers/(zip|xml|formulas)/' },
    },
    only('ingest-staging-knows-sources', '^ingest/staging/', [
      '^ingest/sources/',
      SYSTEM,
      USAGE_ERROR,
      COMPILED_SCRIPT,
      ...GROUND,
    ]),
    only('staging-database-knows-no-cells', '^ingest/staging/database/', [
      '^ingest/staging/reading\\.ts$',
      SYSTEM,
      ...GROUND,
    ]),
    oneEntry('plain-rows-have-two-entries', '^ingest/staging/plain/', '(?:plainRows|plainSql)\\.ts'),
    only('ingest-figures-know-lists', FIGURES, [BASICS]),
    only('ingest-checks-know-staging', '^ingest/checks/', ['^ingest/staging/', FIGURES, ...GROUND]),
    only('ingest-compare-knows-the-ground', '^ingest/compare/', [
      COLLECT_GARBAGE,
      COMPILED_SCRIPT,
      COMPILE_TIMES,
      FIGURES,
      SYSTEM,
      ...GROUND,
    ]),
    only('compared-rows-know-sides-and-engine', '^ingest/compare/rows/', [
      '^ingest/compare/(countedOnceSql|comparisonEngine|revision|side|comparisonYears)\\.ts$',
      BASICS,
      CATALOG,
      DUCKDB,
    ]),
    oneEntry('relations-have-one-entry', '^ingest/compare/relations/', 'relations\\.ts'),
    only('ingest-guards-know-compare', '^ingest/guards/', ['^ingest/compare/', ...GROUND]),
    only('ingest-report-knows-guards', '^ingest/report/', [
      '^ingest/(guards|compare|staging)/',
      SYSTEM,
      TEXT,
      ...GROUND,
    ]),
    only('ingest-store-knows-the-shared-store', '^ingest/store/', [
      STORE,
      SYSTEM,
      OPERATOR_NAME,
      USAGE_ERROR,
      ...GROUND,
    ]),
    only('ingest-commands-know-all-stages', '^ingest/commands/', [
      '^ingest/(sources|staging|checks|compare|guards|report|store)/',
      '^ingest/workbook/',
      SYSTEM,
      STORE,
      CONFIG,
      TERMINAL,
      TEXT,
      ...GROUND,
    ]),
    only('ingest-workbook-knows-dates', '^ingest/workbook/', [
      TEXT,
      '^ingest/sources/readers/dates\\.ts$',
      ...GROUND,
    ]),
    only('ingest-sample-knows-workbooks', '^ingest/sample/', [
      '^ingest/workbook/',
      '^ingest/sources/readers/',
      COMMAND_LINE,
      ...GROUND,
    ]),
    only('ingest-command-line-knows-commands', '^ingest/cli\\.ts$', [
      '^ingest/commands/',
      COMMAND_LINE,
      COMPILE_TIMES,
      '^src/process/systemLimits\\.ts$',
    ]),
    library('mcp-sdk-in-one-file', '@modelcontextprotocol', ['^src/http/mcp/protocol\\.ts$']),
    library('express-stays-in-http', '(express|helmet)', ['^src/http/']),
    library('commander-stays-in-command-lines', 'commander', [
      COMMAND_LINE,
      '^(src/access/commands/keysCommandLine|ingest/commands/program)\\.ts$',
      '^ingest/sample/command\\.ts$',
    ]),
    library('pino-stays-in-the-log', 'pino', ['^src/log/']),
    library('openid-stays-in-its-pages', '(jose|openid-client)', ['^src/http/pages/oidc/']),
    library('prom-client-stays-in-metrics', 'prom-client', [METRICS]),
    library('aws4fetch-stays-in-the-store', 'aws4fetch', [STORE]),
    library('ioredis-stays-in-access', 'ioredis', ['^src/access/']),
    library('duckdb-stays-in-its-rooms', '@duckdb', [
      '^src/query/selection/runStatement\\.ts$',
      DUCKDB,
      '^ingest/',
    ]),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
