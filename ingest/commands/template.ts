// The command `template <dataset>`: writes a workbook for a publish, empty or with the rows of the current snapshot.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { type DatasetName, dimensionOf, isDimensionName, metricNames } from '../../src/catalog/datasets.ts';
import { tableSchemaFields } from '../../src/catalog/fields.ts';
import type { AnyManifest } from '../../src/catalog/manifest.ts';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { isDiskFull, systemCode } from '../../src/system/systemError.ts';
import type { Outcome } from '../../src/terminal/commandLine.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { count, counted } from '../messages/numbers.ts';
import { columnLetters } from '../messages/place.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import { openFile } from '../sources/readers/openFile.ts';
import type { Cell, RawTable } from '../sources/readers/rawFile.ts';
import { LIMITS } from '../sources/readers/sourceLimits.ts';
import type { CellInput, SheetInput, Validation } from '../workbook/sheets.ts';
import { workbook } from '../workbook/workbook.ts';

export interface TemplateOptions {
  readonly dataset: DatasetName;
  readonly month: string;
  /** Whether the workbook has the rows of the current snapshot. */
  readonly filled: boolean;
  /** The path of the workbook. No file may exist there. */
  readonly file: string;
  readonly dataDir: string;
}

/**
 * Writes the workbook. Its cells have drop-down lists of the values of the current snapshot. Other values may be typed,
 * too. A publish reads only the sheet named after the dataset.
 *
 * @throws {UsageError} when the file exists, is named after another dataset or is no .xlsx, and when the rows to fill in
 *   are missing or more than a sheet can hold.
 */
export async function writeTemplate({
  dataset,
  month,
  filled,
  file,
  dataDir,
}: TemplateOptions): Promise<Outcome> {
  expectNameOf(dataset, file);
  const current = await currentId(dataDir);
  const manifest = current === null ? null : await readAnyManifest(snapshotDirectory(dataDir, current));
  const lists = manifest === null ? [] : listsOf(manifest, dataset);
  const rows = filled ? await rowsOf(dataDir, expectRowsToFillIn(manifest, dataset), dataset) : [];
  const sheets = [dataSheet(dataset, month, rows, lists), notesSheet(dataset, month), listsSheet(lists)];
  const bytes = workbook(sheets.filter((sheet) => sheet !== null));
  await writeFile(file, bytes, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UsageError(`--out ${file}: is there already; name another file`);
    if (error.code === 'ENOENT')
      throw new UsageError(
        `--out ${file}: there is no folder ${path.dirname(file)}; make it, or name another`,
      );
    // A failed write, such as on a full disk, may leave a part of the workbook. The next attempt would refuse to replace
    // the file.
    await rm(file, { force: true });
    if (!isDiskFull(error)) throw error;
    const code = systemCode(error);
    throw new Error(
      code === 'EFBIG'
        ? `--out ${file}: a file may not grow that large here (${code}); raise the limit (ulimit -f)`
        : `--out ${file}: the disk is full (${code}); make room there, or name a file on another disk`,
    );
  });
  const content = filled ? `with ${counted(rows.length, 'row')} of ${current}` : 'empty';
  return {
    json: { file, dataset, month, rows: rows.length, from: filled ? current : null },
    text: `${file}: a workbook for ${dataset} ${month}, ${content}\n`,
  };
}

function expectNameOf(dataset: DatasetName, file: string): void {
  if (!/\.xlsx$/i.test(file)) throw new UsageError(`--out ${file}: a template is a workbook; name it .xlsx`);
  const named = datasetNamedBy(path.parse(file).name);
  if (named !== null && named !== dataset)
    throw new UsageError(`--out ${file}: would be read as ${named}; name it after ${dataset}`);
}

/** The id of the snapshot with the rows to fill in. */
function expectRowsToFillIn(manifest: AnyManifest | null, dataset: DatasetName): string {
  if (manifest === null)
    throw new UsageError('--filled: there is no snapshot yet to take rows from; leave it out');
  const rowCount = manifest.datasets[dataset]?.rows;
  if (rowCount === undefined)
    throw new UsageError(`--filled: ${manifest.id} does not hold ${dataset}; leave it out`);
  if (rowCount > LIMITS.rows - HEADER_ROW)
    throw new UsageError(
      `--filled: ${manifest.id} has ${count(rowCount)} rows of ${dataset}, more than a sheet can hold; leave it out`,
    );
  return manifest.id;
}

/** The row of the headings. A title and an empty row are above it. */
const HEADER_ROW = 3;

/** How many empty rows below the data have drop-down lists too. */
const ROWS_TO_FILL = 5000;

/** A drop-down list: a dimension, and the values to choose from. The sheet Lists has a column for each. */
interface DropDownList {
  readonly dimension: string;
  readonly values: readonly string[];
}

function dataSheet(
  dataset: DatasetName,
  month: string,
  rows: readonly (readonly CellInput[])[],
  lists: readonly DropDownList[],
): SheetInput {
  const columns = tableSchemaFields(dataset).map(({ name }) => name);
  const last = Math.min(LIMITS.rows, HEADER_ROW + rows.length + ROWS_TO_FILL);
  const validations = lists.map(({ dimension, values }, i): Validation => {
    const column = columnLetters(columns.indexOf(dimension));
    const from = columnLetters(i);
    return {
      range: `${column}${HEADER_ROW + 1}:${column}${last}`,
      choices: `Lists!$${from}$2:$${from}$${values.length + 1}`,
    };
  });
  return {
    name: dataset,
    rows: [
      [`${dataset} ${month}: one row below for each fact; the sheet Notes says what the columns hold`],
      [],
      columns,
      ...rows,
    ],
    validations,
  };
}

function notesSheet(dataset: DatasetName, month: string): SheetInput {
  const head = [
    [`${dataset} ${month}`],
    ['Write numbers as numbers and full amounts, without units. Leave a cell empty where there is no value.'],
    [],
    ['Column', 'Unit', 'What it holds', 'May be empty'],
  ];
  const isMetric = (name: string) => metricNames(dataset).includes(name);
  const mayBeEmpty = (name: string) =>
    isMetric(name) || (isDimensionName(name) && dimensionOf(name).mayBeEmpty === true);
  const columns = tableSchemaFields(dataset).map(({ name, unit, description }) => [
    name,
    unit,
    description,
    mayBeEmpty(name) ? 'yes' : 'no',
  ]);
  return { name: 'Notes', rows: [...head, ...columns] };
}

/** The hidden sheet with the values of the drop-down lists. A publish ignores it, because no dataset has its headings. */
function listsSheet(lists: readonly DropDownList[]): SheetInput | null {
  if (lists.length === 0) return null;
  const longest = Math.max(...lists.map(({ values }) => values.length));
  return {
    name: 'Lists',
    state: 'hidden',
    rows: [
      lists.map(({ dimension }) => `choices of ${dimension}`),
      ...Array.from({ length: longest }, (_, i) => lists.map(({ values }) => values[i] ?? null)),
    ],
  };
}

function listsOf({ datasets }: AnyManifest, dataset: DatasetName): DropDownList[] {
  return Object.entries(datasets[dataset]?.dimensions ?? {}).flatMap(([dimension, found]) => {
    const values = found.flatMap(({ value }) => (value === '' ? [] : [value]));
    return values.length === 0 ? [] : [{ dimension, values }];
  });
}

async function rowsOf(dataDir: string, current: string, dataset: DatasetName): Promise<CellInput[][]> {
  const name = `${dataset}.parquet`;
  const file = await openFile(path.join(snapshotDirectory(dataDir, current), name), `${current}/${name}`);
  try {
    return (await Promise.all(file.tables.map(cellsBelowHeader))).flat();
  } finally {
    await file.close();
  }
}

async function cellsBelowHeader(table: RawTable): Promise<CellInput[][]> {
  const found: CellInput[][] = [];
  for await (const batch of table.rows())
    for (const { row, cells } of batch) if (row > 0) found.push(cells.map(cellInput));
  return found;
}

/** The value that the workbook gets for a cell of a snapshot. A text that ends like a footnote mark is written whole. */
function cellInput(cell: Cell): CellInput {
  if (cell === '' || cell === null) return null;
  if (typeof cell !== 'object') return cell;
  return cell.kind === 'footnoted' ? cell.text : null;
}
