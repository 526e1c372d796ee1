// Warns of labels in each other's columns: of two columns exchanged in all rows, or of some rows with exchanged labels.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, rowCountText, warnOfEach } from '../stagedPlaces.ts';
import type { UsedValue, UsedValues } from '../usedValues.ts';

const LABELS = ['category', 'product', 'channel', 'sub_channel'] as const;
type Label = (typeof LABELS)[number];
type Pair = readonly [Label, Label];

const PAIRS: readonly Pair[] = LABELS.flatMap((one, i) =>
  LABELS.slice(i + 1).map((other): Pair => [one, other]),
);

/** The usual labels of a column, in lower case. Products have too many to list. */
const USUAL_LABELS: Readonly<Record<Label, ReadonlySet<string>>> = {
  category: new Set(['betting', 'gaming', 'lottery']),
  product: new Set(),
  channel: new Set(['online', 'internet', 'remote', 'land', 'land-based', 'retail', 'offline']),
  sub_channel: new Set(['onshore', 'offshore']),
};

/**
 * Reports the first pair of columns that seem to be exchanged, and returns whether it found one. Either both columns have
 * labels that are usual in the other one, or another dataset of the month has labels of both the other way round.
 */
export function checkExchangedColumns(input: SqlCheckInput, dataset: DatasetName): boolean {
  const { staging, usedValues, problems } = input;
  const { dimensions } = datasetOf(dataset);
  for (const pair of PAIRS.filter((names) => names.every((name) => dimensions.includes(name)))) {
    const [one, other] = pair;
    const found = misplacedLabels(usedValues, dataset, pair) ?? labelsUnlikeOthers(input, dataset, pair);
    if (found === null) continue;
    problems.add('warning', placeOfCellAt(staging, found.inOne.first, one), {
      problem: `${one} has "${found.inOne.text}", and ${other} has "${found.inOther.text}"${found.unlike === undefined ? '' : `; in ${found.unlike} it is the other way round`}`,
      remedy: 'check whether the two columns were exchanged',
      kind: `${one} and ${other} were exchanged`,
    });
    return true;
  }
  return false;
}

/** A label of each column, and the dataset that has both the other way round. */
interface Exchanged {
  readonly inOne: UsedValue;
  readonly inOther: UsedValue;
  readonly unlike?: DatasetName;
}

/** A label of each column that belongs to the other one; null if the columns are right. */
function misplacedLabels(used: UsedValues, dataset: DatasetName, [one, other]: Pair): Exchanged | null {
  const inOne = misplacedIn(used, dataset, one, other);
  const inOther = misplacedIn(used, dataset, other, one);
  return inOne === undefined || inOther === undefined ? null : { inOne, inOther };
}

/**
 * A label of the column `label` that is usual for the column `other`. Products have no usual labels: any label may be that
 * of a product, and a column of products is misplaced only as a whole.
 */
function misplacedIn(
  used: UsedValues,
  dataset: DatasetName,
  label: Label,
  other: Label,
): UsedValue | undefined {
  const [values, others] = [used.in(dataset, label), used.in(dataset, other)];
  if (label !== 'product') return other === 'product' ? values[0] : usualIn(values, other);
  // The only product of a dataset may be called like a category, such as Lottery.
  if (other === 'category' && values.length < 2) return undefined;
  const areMisplaced =
    values.every(({ text }) => isUsual(other, text)) && usualIn(others, other) === undefined;
  return areMisplaced ? values[0] : undefined;
}

/**
 * A label of each column that another dataset of the month has in the other column; null if there is none, or if both
 * datasets have a label in the same column.
 */
function labelsUnlikeOthers(
  { datasets, usedValues }: SqlCheckInput,
  dataset: DatasetName,
  [one, other]: Pair,
): Exchanged | null {
  const [inOne, inOther] = [usedValues.in(dataset, one), usedValues.in(dataset, other)];
  // A usual label shows that the columns of this dataset are right. The other dataset is reported instead.
  if (usualIn(inOne, one) !== undefined || usualIn(inOther, other) !== undefined) return null;
  for (const unlike of datasets) {
    if (unlike === dataset) continue;
    const [ones, others] = [textsOf(usedValues, unlike, one), textsOf(usedValues, unlike, other)];
    const [first] = inOne.filter(({ text }) => others.has(text));
    const [second] = inOther.filter(({ text }) => ones.has(text));
    const isApart =
      !inOne.some(({ text }) => ones.has(text)) && !inOther.some(({ text }) => others.has(text));
    if (isApart && first !== undefined && second !== undefined)
      return { inOne: first, inOther: second, unlike };
  }
  return null;
}

const textsOf = (used: UsedValues, dataset: DatasetName, label: Label): ReadonlySet<string> =>
  new Set(used.in(dataset, label).map(({ text }) => text));

const usualIn = (values: readonly UsedValue[], label: Label): UsedValue | undefined =>
  values.find(({ text }) => isUsual(label, text));

const isUsual = (label: Label, text: string): boolean => USUAL_LABELS[label].has(text.toLowerCase());

/** The columns of labels of which some rows may have exchanged ones. */
const EXCHANGEABLE_COLUMNS = [
  ['category', 'product'],
  ['channel', 'sub_channel'],
] as const;

/**
 * Reports rows with two labels that more rows have the other way round. It queries only if two labels occur in both
 * columns.
 */
export async function checkExchangedLabels(
  { staging, usedValues, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  for (const pair of EXCHANGEABLE_COLUMNS.filter((names) =>
    names.every((name) => dimensions.includes(name)),
  )) {
    const [one, other] = pair;
    const inOther = new Set(usedValues.in(dataset, other).map(({ text }) => text));
    const inBoth = usedValues.in(dataset, one).filter(({ text }) => inOther.has(text));
    if (inBoth.length < 2) continue;
    const codes = inBoth.map(({ text }) => staging.code(text)).join(', ');
    const [first, second] = [stagingColumn(one), stagingColumn(other)];
    await warnOfEach(
      { staging, problems, column: one },
      `WITH pairs AS (SELECT ${first} AS a, ${second} AS b, count(*) AS n, min(${PLACE_SQL}) AS place FROM ${stagingTable(dataset)}
        WHERE ${first} IN (${codes}) AND ${second} IN (${codes}) AND ${first} <> ${second} GROUP BY ALL)
     SELECT p.a, p.b, p.n::INTEGER, p.place FROM pairs p JOIN pairs q ON q.a = p.b AND q.b = p.a
     WHERE (p.n, -p.place) < (q.n, -q.place) ORDER BY p.place`,
      (a, b, n) => ({
        problem: `${one} is "${staging.text(a)}" and ${other} "${staging.text(b)}" in ${rowCountText(n)}, and other rows have them the other way round`,
        remedy: `exchange the two in these rows`,
        kind: `${one} and ${other} were exchanged`,
      }),
    );
  }
}
