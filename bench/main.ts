// Entry point of `make bench`: runs the benchmarks and prints a table, with each reference measured in the same run.

import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { version as engineVersion } from '@duckdb/node-api';
import { coldPage, coldThroughput } from './coldPages.ts';
import { compareLarge } from './compareLarge.ts';
import { explorerUsable } from './explorerVisit.ts';
import { csvPages, exportsOfAll, hotPageDuringExports, workbookOfAMillion } from './exports.ts';
import { type Figure, line } from './figure.ts';
import { hotPages, walk } from './hotPages.ts';
import {
  besidePolars,
  besideSheetJs,
  fromCsv,
  fromParquet,
  fromSeveralFiles,
  fromSmallWorkbook,
  fromWideWorkbook,
  fromWorkbook,
  sampleMonth,
} from './ingest.ts';
import { gateAlone, keyMemory, limitedCatalog } from './keysAndLimits.ts';
import { listOfKeys } from './listOfKeys.ts';
import { firstWalk, metricsCost } from './metricsAndFirstWalk.ts';
import { type Run, runPage, slowerRows } from './runPage.ts';
import { startAndMemory } from './startAndMemory.ts';
import {
  changesOfMonths,
  hotPageDuringStorm,
  totalsByCountry,
  valuesOfDimensions,
} from './valuesAndTotals.ts';
import { verifyLarge } from './verifyLarge.ts';
import { docsInBrowser, firstDataFrame } from './visitors.ts';

/** Name of a benchmark, as in `ONLY=` → function that runs it. */
const ROWS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  cold: coldPage,
  throughput: coldThroughput,
  hot: hotPages,
  walk,
  start: startAndMemory,
  gate: gateAlone,
  limited: limitedCatalog,
  keys: keyMemory,
  team: listOfKeys,
  small: fromSmallWorkbook,
  workbook: fromWorkbook,
  sheetjs: besideSheetJs,
  polars: besidePolars,
  wide: fromWideWorkbook,
  csv: fromCsv,
  parquet: fromParquet,
  several: fromSeveralFiles,
  sample: sampleMonth,
  compare: compareLarge,
  verify: verifyLarge,
  values: valuesOfDimensions,
  totals: totalsByCountry,
  changes: changesOfMonths,
  storm: hotPageDuringStorm,
  exports: exportsOfAll,
  xlsx: workbookOfAMillion,
  busy: hotPageDuringExports,
  formats: csvPages,
  metrics: metricsCost,
  fresh: firstWalk,
  docs: docsInBrowser,
  claim: firstDataFrame,
  explorer: explorerUsable,
};

const only = (process.env.ONLY ?? '').split(',').filter((name) => name !== '');
const unknown = only.filter((name) => !Object.hasOwn(ROWS, name));
if (unknown.length > 0) {
  process.stderr.write(`ONLY: no row ${unknown.join(', ')}; there are: ${Object.keys(ROWS).join(', ')}\n`);
  process.exit(2);
}

// Node parses the certificates of this variable at every start. The 40 ms of CPU depend on the machine, not on our code.
delete process.env.NODE_EXTRA_CA_CERTS;

const [REPORT_JSON, REPORT_HTML] = ['bench/report.json', 'bench/report.html'] as const;
const wantsJson = process.argv.includes('--json');
const print = (text: string) => (wantsJson ? process.stderr : process.stdout).write(text);
const machine = {
  cores: os.availableParallelism(),
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  node: process.versions.node,
  duckdb: engineVersion().replace(/^v/, ''),
};
print(
  `${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, DuckDB ${machine.duckdb}; medians of rounds taken in turns\n`,
);
const rows: Record<string, readonly Figure[]> = {};
for (const [name, run] of Object.entries(ROWS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const figures = await run();
  rows[name] = figures;
  print(`\n${name}\n${figures.map((figure) => line(figure)).join('')}`);
}
const run: Run = { date: new Date().toISOString(), machine, rows };
const json = `${JSON.stringify(run, null, 2)}\n`;
if (wantsJson) process.stdout.write(json);
const { BENCH_JSON: file = REPORT_JSON, BENCH_BEFORE: before } = process.env;
const earlier = before === undefined ? null : (JSON.parse(readFileSync(before, 'utf8')) as Run);
writeFileSync(file, json);
writeFileSync(REPORT_HTML, runPage(run, earlier));
print(`\nWritten: ${file} and ${REPORT_HTML}\n`);
if (earlier !== null) {
  const slower = slowerRows(run, earlier);
  for (const { what, speed } of slower)
    print(`slower than on ${earlier.date.slice(0, 10)}: ${what}, ${speed.toFixed(2)} ×\n`);
  if (slower.length > 0) process.exitCode = 1;
}
