// Warns of rows in which two labels were exchanged, because more rows have the same two labels the other way round.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckedBySql } from '../checkedRows.ts';
import { PLACE, placeOfNumber, rowCount, rowsOf } from '../places.ts';
import type { UsedValues } from '../usedValues.ts';

type Pair = readonly ['category', 'product'] | readonly ['channel', 'sub_channel'];

const PAIRS: readonly Pair[] = [
  ['category', 'product'],
  ['channel', 'sub_channel'],
];

/** Reports rows with two labels that more rows have the other way round. */
export async function checkExchangedLabels(
  { staging, used, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  for (const pair of PAIRS.filter((names) => names.every((name) => dimensions.includes(name)))) {
    const [one, other] = pair;
    const found = await exchangedRows(staging, dataset, pair, used);
    for (const { labels, rows, place } of found)
      problems.add('warning', placeOfNumber(staging, place, one), {
        problem: `${one} is "${labels[0]}" and ${other} "${labels[1]}" in ${rowCount(rows)}, and other rows have them the other way round`,
        remedy: `exchange the two in these rows`,
        kind: `${one} and ${other} were exchanged`,
      });
  }
}

interface Exchanged {
  readonly labels: readonly [string, string];
  readonly rows: number;
  readonly place: bigint;
}

/** The rows with two labels that more rows have the other way round. It queries only if two labels occur in both columns. */
async function exchangedRows(
  staging: StagingView,
  dataset: DatasetName,
  [one, other]: Pair,
  used: UsedValues,
): Promise<readonly Exchanged[]> {
  const inOther = new Set(used.in(dataset, other).map(({ text }) => text));
  const inBoth = used
    .in(dataset, one)
    .map(({ text }) => text)
    .filter((text) => inOther.has(text));
  if (inBoth.length < 2) return [];
  const codes = inBoth.map((text) => staging.code(text)).join(', ');
  const [first, second] = [stagingColumn(one), stagingColumn(other)];
  const found = await rowsOf(
    staging,
    `WITH pairs AS (SELECT ${first} AS a, ${second} AS b, count(*) AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE ${first} IN (${codes}) AND ${second} IN (${codes}) AND ${first} <> ${second} GROUP BY ALL)
     SELECT p.a, p.b, p.n::INTEGER, p.place FROM pairs p JOIN pairs q ON q.a = p.b AND q.b = p.a
     WHERE (p.n, -p.place) < (q.n, -q.place) ORDER BY p.place`,
  );
  return found.map(([a, b, n, place]) => ({
    labels: [staging.text(a), staging.text(b)],
    rows: Number(n),
    place: place as bigint,
  }));
}
