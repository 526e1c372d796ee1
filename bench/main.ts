// `make bench`: runs the benchmarks and prints one table, every figure beside its reference from the same run.

import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { version as engineVersion } from '@duckdb/node-api';
import type { Figure, Row } from './harness.ts';
import { INGEST } from './ingest.ts';

const ROWS: readonly Row[] = [...INGEST];

const only = (process.env.ONLY ?? '').split(',').filter((name) => name !== '');
const unknown = only.filter((name) => !ROWS.some((row) => row.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `ONLY: no benchmark ${unknown.join(', ')}; there are: ${ROWS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const wantsJson = process.argv.includes('--json');

const machine = {
  cores: os.availableParallelism(),
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  node: process.versions.node,
  duckdb: engineVersion().replace(/^v/, ''),
};
const print = (line: string) => (wantsJson ? process.stderr : process.stdout).write(`${line}\n`);

print(
  `${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, DuckDB ${machine.duckdb}; medians of rounds taken in turns\n`,
);
const results: { row: string; figures: readonly Figure[] }[] = [];
for (const row of ROWS.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const figures = await row.run();
  results.push({ row: row.name, figures });
  print(row.name);
  for (const figure of figures) print(line(figure));
}
const json = `${JSON.stringify({ machine, results }, null, 2)}\n`;
if (wantsJson) process.stdout.write(json);
if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, json);

function line({ what, ours, unit, reference, goal }: Figure): string {
  const compared =
    reference === undefined
      ? ''
      : `${shown(reference.value, unit)}  ${reference.name} (ours is ${shown(ours / reference.value, '×')})`;
  return `  ${what.padEnd(44)}${shown(ours, unit).padStart(14)}  ${compared.padStart(0)}${judged(ours, reference?.value, goal)}`;
}

function judged(ours: number, reference: number | undefined, goal: Figure['goal']): string {
  if (goal === undefined) return '';
  const { of, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  const value = of === 'ours' ? ours : ours / (reference ?? Number.NaN);
  const wanted = goal.atMost === undefined ? `≥ ${shown(atLeast, '')}` : `≤ ${shown(atMost, '')}`;
  return `  ${value <= atMost && value >= atLeast ? 'meets' : 'MISSES'} ${wanted}${of === 'ratio' ? ' ×' : ''}`;
}

/** Three figures that say something, grouped by thousands. */
function shown(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`.trim();
}
