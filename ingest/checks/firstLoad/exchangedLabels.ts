// Warns of rows in which two labels were exchanged, because more rows have the same two labels the other way round.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckedBySql } from '../checkedRows.ts';
import { PLACE, rowCount, warnOfEach } from '../places.ts';

type Pair = readonly ['category', 'product'] | readonly ['channel', 'sub_channel'];

const PAIRS: readonly Pair[] = [
  ['category', 'product'],
  ['channel', 'sub_channel'],
];

/** Reports rows with two labels that more rows have the other way round. It queries only if two labels occur in both columns. */
export async function checkExchangedLabels(
  { staging, used, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  for (const pair of PAIRS.filter((names) => names.every((name) => dimensions.includes(name)))) {
    const [one, other] = pair;
    const inOther = new Set(used.in(dataset, other).map(({ text }) => text));
    const inBoth = used.in(dataset, one).filter(({ text }) => inOther.has(text));
    if (inBoth.length < 2) continue;
    const codes = inBoth.map(({ text }) => staging.code(text)).join(', ');
    const [first, second] = [stagingColumn(one), stagingColumn(other)];
    await warnOfEach(
      { staging, problems, column: one },
      `WITH pairs AS (SELECT ${first} AS a, ${second} AS b, count(*) AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE ${first} IN (${codes}) AND ${second} IN (${codes}) AND ${first} <> ${second} GROUP BY ALL)
     SELECT p.a, p.b, p.n::INTEGER, p.place FROM pairs p JOIN pairs q ON q.a = p.b AND q.b = p.a
     WHERE (p.n, -p.place) < (q.n, -q.place) ORDER BY p.place`,
      (a, b, n) => ({
        problem: `${one} is "${staging.text(a)}" and ${other} "${staging.text(b)}" in ${rowCount(n)}, and other rows have them the other way round`,
        remedy: `exchange the two in these rows`,
        kind: `${one} and ${other} were exchanged`,
      }),
    );
  }
}
