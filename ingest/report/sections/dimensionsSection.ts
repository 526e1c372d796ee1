// Shows the values of dimensions in which the changes of a dataset concentrate.

import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import { count } from '../../messages/numbers.ts';
import type { DatasetReport, Report } from '../reportTypes.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';
import { tableHtml } from './sectionTable.ts';

type DimensionBreakdown = DatasetReport['breakdown']['dimensions'][number];

/** The most dimensions of a dataset that are named, and the most values of each dimension. */
const MOST_DIMENSIONS = 3;
const MOST_VALUES = 3;

/** The values in which changes concentrate, of all datasets; null when nothing was compared. */
export function concentratedChanges(report: Report): Html | null {
  if (report.comparedWith === null) return null;
  const rows = DATASET_NAMES.flatMap((name) => concentrations(name, report.datasets[name]));
  if (rows.length === 0) return html`<p>Nothing changed in any dimension.</p>`;
  return html`${tableHtml({
    label: 'What changed by dimension',
    named: true,
    columns: [
      { heading: 'dataset' },
      { heading: 'dimension' },
      { heading: 'where most of it changed', long: true },
    ],
    rows: rows.map(({ dataset, dimension, values }) => [
      dataset,
      dimension,
      html`${values.slice(0, MOST_VALUES).map((value, i) => html`${i === 0 ? '' : ', '}${textOf(value.value)} <span class="soft">${withNonBreakingNumbers(shareOf(value.part))}</span>`)}`,
    ]),
    more: `The share of all changes of the dataset: values revised, emptied or filled, and rows new, gone or now reported. Of each dataset the dimensions in which changes concentrate most; all of them under its name in the details.`,
  })}`;
}

interface Concentration {
  readonly dataset: DatasetName;
  readonly dimension: string;
  readonly values: readonly { readonly value: string | number; readonly part: number }[];
}

/**
 * The dimensions in which changes concentrate: the first value has a larger share of the changes than of the rows, by more
 * than `LEAST_EXCESS`.
 */
function concentrations(dataset: DatasetName, { breakdown, rows }: DatasetReport): Concentration[] {
  // Every change counts once in each dimension, so any dimension gives the number of all changes. The largest sum is taken,
  // because the sum of a dimension is too small when the report does not list all its values.
  const all = Math.max(1, ...breakdown.dimensions.map(changesOf));
  return (
    breakdown.dimensions
      // Changes do not concentrate in a currency: every market has rows in several currencies, and these change together.
      .filter(({ dimension, values }) => values.count > 0 && dimension !== 'fx')
      .map((ofDimension) => {
        const values = ofDimension.values.shown.map((one) => ({
          value: one.value,
          part: changes(one) / all,
        }));
        const [first] = ofDimension.values.shown;
        const excess = (values[0]?.part ?? 0) - (first?.rows ?? 0) / Math.max(1, rows.after);
        return { dataset, dimension: ofDimension.dimension, values, excess };
      })
      .filter(({ excess }) => excess > LEAST_EXCESS)
      .sort((a, b) => b.excess - a.excess)
      .slice(0, MOST_DIMENSIONS)
      .map(({ excess: _, ...concentration }) => concentration)
  );
}

/** Changes concentrate in a value when its share of the changes exceeds its share of the rows by more than this. */
const LEAST_EXCESS = 0.02;

const changes = ({
  revised,
  added,
  removed,
  arrived,
}: DimensionBreakdown['values']['shown'][number]): number => revised + added + removed + arrived;

const changesOf = ({ values }: DimensionBreakdown): number =>
  values.shown.reduce((sum, one) => sum + changes(one), 0);

/** The text of a share: `94 %`. A share is never rounded to 0 % or 100 %. */
function shareOf(part: number): string {
  if (part > 0 && part < 0.01) return 'under 1 %';
  return part < 1 && part > 0.99 ? 'over 99 %' : `${Math.round(part * 100)} %`;
}

const textOf = (value: string | number): string => (value === '' ? '(empty)' : String(value));

/** All values with changes in the dimensions of a dataset, for the details; null when there are none. */
export function dimensionsInFull({ breakdown }: DatasetReport): Html | null {
  if (breakdown.dimensions.length === 0) return null;
  const cut = breakdown.dimensions.filter(({ values }) => values.count > values.shown.length);
  return html`<h4>Changes by dimension</h4>
${tableHtml({
  label: 'Changes by dimension',
  columns: [
    { heading: 'dimension' },
    { heading: 'value' },
    { heading: 'values changed', number: true },
    { heading: 'rows new', number: true },
    { heading: 'rows gone', number: true },
    { heading: 'now reported', number: true },
    { heading: 'of rows', number: true },
  ],
  rows: breakdown.dimensions.flatMap(({ dimension, values }) =>
    values.shown.map((one) => [
      dimension,
      textOf(one.value),
      count(one.revised),
      count(one.added),
      count(one.removed),
      count(one.arrived),
      count(one.rows),
    ]),
  ),
  ...(cut.length > 0 && {
    more: `Of ${cut.map(({ dimension, values }) => `${dimension} the first ${count(values.shown.length)} of ${count(values.count)}`).join(', of ')}.`,
  }),
})}`;
}
