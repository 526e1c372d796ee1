// The tables of docs/performance.md: the figures of one run of `make bench`, grouped by topic.

import { type Figure, shown, verdict } from './figure.ts';
import type { Run } from './runPage.ts';

/** The titles of the tables, each with the benchmarks that it shows. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  Pages: ['cold', 'throughput', 'hot', 'walk', 'fresh', 'start', 'metrics'],
  'Keys and limits': ['gate', 'limited', 'keys', 'team'],
  'Other questions': ['values', 'totals', 'changes', 'storm'],
  'Files and formats': ['exports', 'xlsx', 'busy', 'formats'],
  'Publishing a month': [
    'small',
    'workbook',
    'sheetjs',
    'polars',
    'wide',
    'csv',
    'parquet',
    'several',
    'sample',
  ],
  'Comparing and verifying': ['compare', 'verify'],
  Visitors: ['docs', 'claim', 'explorer'],
};

/** The tables of a run as Markdown, after a line with its day and machine. */
export function performanceTables({ date, machine, rows }: Run): string {
  const facts = `The run of ${date.slice(0, 10)}: ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, DuckDB ${machine.duckdb}.`;
  const tables = Object.entries(TABLES).map(([title, names]) => {
    const lines = names.flatMap((name) => (rows[name] ?? []).map((figure) => row(name, figure)));
    return `### ${title}\n\n| row | what | ours | range | beside it | ratio | mark |\n|---|---|---:|---:|---|---:|---|\n${lines.join('\n')}\n`;
  });
  return `${facts}\n\n${tables.join('\n')}`;
}

function row(name: string, figure: Figure): string {
  const { what, unit, value, range, reference, referenceName = '' } = figure;
  const cells = [
    `\`${name}\``,
    what,
    `${shown(value)} ${unit}`,
    range === undefined ? '' : `${shown(range[0])} to ${shown(range[1])}`,
    reference === undefined ? referenceName : `${shown(reference)}, ${referenceName}`,
    reference === undefined ? '' : (value / reference).toFixed(2),
    verdict(figure).replace('MISSED', '**missed**'),
  ];
  return `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');
}
