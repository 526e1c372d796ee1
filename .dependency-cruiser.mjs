// The arrows between the rooms: main → http → {query, access} → catalog → errors; ingest → {catalog, errors}.
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

const CATALOG = '^src/catalog/';
const ERRORS = '^src/errors\\.ts$';

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('errors-import-nothing', ERRORS, []),
    only('config-imports-nothing', '^src/config\\.ts$', []),
    only('catalog-knows-errors-only', CATALOG, [ERRORS]),
    only('query-knows-catalog', '^src/query/', [CATALOG, ERRORS]),
    only('access-knows-catalog', '^src/access/(?!cli\\.ts$)', [CATALOG, ERRORS]),
    only('keys-command-line-knows-config', '^src/access/cli\\.ts$', [
      '^src/access/',
      CATALOG,
      ERRORS,
      '^src/config\\.ts$',
    ]),
    only('http-knows-query-and-access', '^src/http/', ['^src/query/', '^src/access/', CATALOG, ERRORS]),
    only('ingest-knows-catalog', '^ingest/(?!cli\\.ts$)', [CATALOG, ERRORS]),
    only('ingest-command-line-knows-config', '^ingest/cli\\.ts$', [
      '^ingest/',
      CATALOG,
      ERRORS,
      '^src/config\\.ts$',
    ]),
    library('express-stays-in-http', '(express|helmet|pino-http)', ['^src/http/']),
    library('ioredis-stays-in-access', 'ioredis', ['^src/access/']),
    library('duckdb-stays-in-its-rooms', '@duckdb', [
      '^src/query/select\\.ts$',
      '^src/catalog/snapshot\\.ts$',
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
