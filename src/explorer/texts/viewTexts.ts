// The words of the views beside the chart: table, comparison, code, information about the dataset, and downloads.

import { datasetLabel } from '../labels.ts';
import { countText, rowCountText } from '../model/numberFormats.ts';
import { SERVICE } from './pageTexts.ts';

export const TABLE = {
  rows: 'Rows',
  loaded: (loaded: number, all: number): string => `${countText(loaded)} of ${rowCountText(all)}`,
  asStored: ', not split, not added up',
  sortedWithin: ', sorted within these',
  /** `loaded` is the number of rows that are copied; null for all rows. */
  copyCsv: (loaded: number | null): string =>
    loaded === null ? 'Copy as CSV' : `Copy these ${rowCountText(loaded)} as CSV`,
  copyTsv: (loaded: number | null): string =>
    loaded === null ? 'Copy for a spreadsheet' : `Copy these ${rowCountText(loaded)} for a spreadsheet`,
  copyAll: (series: number): string => `Copy all ${countText(series)} for a spreadsheet`,
  inEveryRow: 'In every row:',
  allColumns: 'Show all columns',
  first: (rows: number): string => `The first ${countText(rows)} are shown; a copy has all that are loaded.`,
  loading: 'Loading…',
  more: (rows: number): string => `Load ${countText(rows)} more ${rows === 1 ? 'row' : 'rows'}`,
} as const;

export const COMPARE = {
  title: (metric: string): string => `What changed in ${metric}`,
  from: 'From',
  to: 'to',
  files: 'The figures come from',
  and: 'and',
  filesOf: (snapshot: string): string => `the files of ${snapshot}`,
  only: 'Only one snapshot is retained, so there is nothing to compare with.',
  asking: 'Comparing…',
  since: 'Compare with',
  use: (snapshot: string): string => `Compare with ${snapshot}`,
  same: 'Nothing is different under these filters.',
  itself: 'This is the same snapshot. Choose another one.',
  revised: (rows: number): string => (rows === 1 ? 'row revised' : 'rows revised'),
  added: 'added',
  removed: 'removed',
  note: 'A forecast that is now reported counts as one row removed and one added.',
  noSums: 'No year has a sum, so no lines are drawn.',
  largest: 'Largest revisions',
  listed: (listed: number, all: number): string =>
    `The ${countText(listed)} largest of ${countText(all)} are listed.`,
  partly: (loaded: number, all: number): string =>
    `Only the first ${countText(loaded)} of ${countText(all)} revised rows are compared. Narrow the filters to compare all of them.`,
  row: 'Row',
  difference: 'Difference',
  withdrawn: 'withdrawn',
  new: 'new',
  /** The sentence about the lines of both snapshots. */
  summary: ({ title, unit, years, year, since, until, older, newer, difference }: ComparedYear): string =>
    `Line chart of both snapshots of ${title}, in ${unit}, ${years}: ${older} in ${year} by ${since}, ${newer} by ${until}${difference === null ? '' : `, ${difference}`}.`,
} as const;

/** The values of a year in two snapshots, in words. */
interface ComparedYear {
  readonly title: string;
  readonly unit: string;
  /** The years of the lines. */
  readonly years: string;
  readonly year: number;
  readonly since: string;
  readonly until: string;
  readonly older: string;
  readonly newer: string;
  /** Null when one of the snapshots has no value. */
  readonly difference: string | null;
}

/** A difference such as `111 m more`. `size` is the signed difference, and `text` its absolute size in words. */
export const differenceText = (size: number, text: string): string =>
  size === 0 ? 'the same' : `${text} ${size > 0 ? 'more' : 'less'}`;

export const CODE = {
  title: (selection: string): string => `Code for ${selection}`,
  language: 'Language',
  gives: (rows: number): string =>
    `It gives the ${rowCountText(rows)} of the table, with the key in the environment variable API_KEY.`,
  copy: 'Copy',
} as const;

export const COPY = {
  done: 'Copied',
  refused: 'The browser did not allow it',
  away: 'The service did not answer',
} as const;

export const ABOUT = {
  title: (dataset: string): string => `About ${datasetLabel(dataset).toLowerCase()}`,
  rows: rowCountText,
  years: (first: number, last: number | null): string =>
    first === last ? `, ${first}` : `, ${first} to ${last}`,
  snapshot: 'Snapshot',
  /** `time` is in ISO 8601 and UTC; null when it is not known. */
  published: (time: string | null): string =>
    `${time === null ? '' : `, published ${time.slice(0, 10)}, ${time.slice(11, 16)} UTC`}, fingerprint`,
  bytes: (bytes: number): string => `, ${countText(bytes)} bytes, sha256`,
  units: 'Values and units',
  heads: ['Value', 'Unit', 'Adds up'],
  missing: 'Missing',
  yes: 'yes',
  withinYear: 'within a year',
  no: 'no',
  notAdded: 'What must not be added',
  notAddedOver: (dimensions: string): string =>
    `Before you add up, choose one value of each of these: ${dimensions}. The same amount is there under several of their values. The explorer chooses one and says which.`,
  dimensions: 'Dimensions',
  /** What a dimension's values mean, where their names do not say it. */
  meanings: { temporal: ' “Current” is a reported figure.' } as Readonly<Record<string, string>>,
  values: (count: number): string => `${countText(count)} ${count === 1 ? 'value' : 'values'}`,
  sources: 'Snapshot and sources',
  forEver: 'A snapshot never changes: a link with “as of” repeats its numbers while it is retained.',
  cite: 'Cite this',
  citeShort: 'Copy the short form',
  citeFull: 'Copy the full form',
  /** A short citation, for a chart. */
  citation: (dataset: string, snapshot: string): string =>
    `Source: ${SERVICE}, ${datasetLabel(dataset)}, snapshot ${snapshot}.`,
  /** A citation for a list of sources. The day of the publication is null when it is not known. */
  fullCitation: (
    dataset: string,
    snapshot: string,
    { title, published, address, retrieved }: Citation,
  ): string =>
    `${SERVICE} (${(published ?? snapshot).slice(0, 4)}). ${title}. Dataset “${dataset}”, snapshot ${snapshot}.${published === null ? '' : ` Published ${published}.`} ${address}, retrieved ${retrieved}.`,
} as const;

/** What a full citation says. Days are written as `2026-11-30`. */
interface Citation {
  readonly title: string;
  readonly published: string | null;
  readonly address: string;
  readonly retrieved: string;
}

export const DOWNLOADS = {
  unauthorised: 'The key is not valid any more.',
  pruned: 'This snapshot is no longer retained, so it has no files. Choose another one under “As of”.',
  limited: 'This key has used up its requests for now.',
  away: 'The service is busy, or does not answer.',
  cutOff: 'The download was cut off. Try again in a moment.',
  done: (file: string): string => `${file} is downloaded.`,
  again: (waitSeconds: number): string => `Try again in ${waitSeconds} s.`,
} as const;

export const EXPORT_PANEL = {
  label: 'Take it along',
  files: 'Download rows',
  formats: { csv: 'CSV', xlsx: 'Excel', parquet: 'Parquet', arrow: 'Arrow' },
  /**
   * Says how many rows the files have, and of which years. The files differ from the chart, which shows sums of these
   * rows, and as bars only the sums of one year.
   */
  rows: (rows: number, years: string | null): string =>
    `${rowCountText(rows)}${years === null ? '' : ` of ${years}${TABLE.asStored}`}.`,
  or: 'Or',
  allRows: (rows: number): string => (rows === 1 ? 'the only row' : `all ${rowCountText(rows)}`),
  asParquet: (dataset: string): string => `of ${dataset} as Parquet.`,
  progress: (file: string, bytes: number): string => `${file}: ${countText(Math.round(bytes / 1024))} kB…`,
  cancel: 'Cancel',
  picture: 'Chart as a picture',
  numbers: 'Chart as numbers',
  numbersForm: 'A row for each year, a column for each series. The last column marks forecasts.',
  share: 'Share the link',
  latest: 'Link to the latest data',
  pinned: (snapshot: string): string => `Link to ${snapshot}`,
  noKey: 'Links do not contain your key: each reader needs their own.',
} as const;
