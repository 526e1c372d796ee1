// Makes the sheet Notes of a workbook.
// It says that the data is synthetic, which rows must not be added up, and what was revised.

import type { SheetInput } from '../workbook/sheets.ts';
import { REVISIONS } from './sampleRevisions.ts';
import type { Month } from './tables/calendar.ts';
import { TIERS } from './tables/tiersAndShapes.ts';

/** A part of the title of every workbook. */
export const SYNTHETIC = 'Synthetic sample – not for use';

const ABOUT: readonly string[] = [
  SYNTHETIC,
  'Every number is invented, around public orders of magnitude; no row of any source is copied.',
  'Values are whole units of the currency in column fx, at the rate of their year.',
];

const ADDING_UP: readonly string[] = [
  'Do not add over fx: the same fact stands in local currency, USD and EUR.',
  'Do not add a country and its states: states are a breakdown. Rows without a state are the country.',
  `Histories begin in ${TIERS[1].firstYear}, ${TIERS[2].firstYear} or ${TIERS[3].firstYear}: world totals jump there; compare within countries of equal coverage.`,
  'Amalgamated countries ("Rest of …") hold no country that is listed: a region is the sum of all its countries.',
];

/** The visible sheet Notes: text, and in the second month the revisions with their reasons. */
export function notes(month: Month): SheetInput {
  const revisions =
    month === '2026-10'
      ? []
      : [
          ['Revised since the month before', 'Reason'],
          ...REVISIONS.map(({ what, reason }) => [what, reason]),
        ];
  return {
    name: 'Notes',
    rows: [...ABOUT.map((text) => [text]), [], ...ADDING_UP.map((text) => [text]), [], ...revisions],
  };
}
