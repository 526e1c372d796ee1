// Warns of a file or sheet of the month before that was only saved again: its bytes are new, but its rows are the same.

import path from 'node:path';
import { snapshotDirectory } from '../../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, type DatasetName } from '../../../../src/catalog/datasets.ts';
import { readAnyManifest } from '../../../../src/catalog/readManifest.ts';
import { withCommonDatasets } from '../../../compare/commonDatasets.ts';
import type { WrittenMonth } from '../../../compare/compareWithCurrent.ts';
import { ComparisonEngine } from '../../../compare/comparisonEngine.ts';
import type { ComparedSide } from '../../../compare/comparisonTypes.ts';
import { ComparisonYears } from '../../../compare/comparisonYears.ts';
import type { MatchedRows } from '../../../compare/rows/matchedRows.ts';
import { matchRows } from '../../../compare/rows/matchRows.ts';
import { snapshotSide } from '../../../compare/side.ts';
import { count } from '../../../messages/numbers.ts';
import { wholeTable } from '../../../messages/place.ts';
import { type SampledRows, type SampledTable, sampleTables } from '../../../staging/database/sampleTables.ts';
import type { Fingerprints } from '../fingerprints.ts';
import type { PublishOptions } from '../publishOptions.ts';
import type { StagedMonth } from '../stagedMonth.ts';
import { newestIdsOfEarlierMonths } from './earlierMonths.ts';
import { tablesOfMonthBefore, unchangedTables } from './tablesOfMonthBefore.ts';

/** A month that was compared with the current snapshot. */
export interface ComparedMonth {
  readonly options: PublishOptions;
  readonly staged: StagedMonth;
  readonly workDir: string;
  readonly written: WrittenMonth;
  readonly current: ComparedSide;
  readonly engine: ComparisonEngine;
  /** Those of changed datasets are still being computed. */
  readonly fingerprints: Fingerprints;
}

type FoundTables = readonly { readonly sampled: SampledRows; readonly table: SampledTable }[];

/** Finds tables with the rows of the month before, while the month is compared with the current snapshot. */
export class ResavedTables {
  readonly #staged: StagedMonth;
  readonly #samples: ReadonlyMap<DatasetName, SampledRows>;
  #found: FoundTables = [];

  private constructor(staged: StagedMonth, samples: ReadonlyMap<DatasetName, SampledRows>) {
    this.#staged = staged;
    this.#samples = samples;
  }

  /**
   * Samples the staged rows of each dataset that the current snapshot has too. The staging database must still be open.
   * Tables of a recipe are left out, because statistical offices publish at irregular times.
   */
  static async sample(staged: StagedMonth): Promise<ResavedTables> {
    const samples = new Map<DatasetName, SampledRows>();
    if (staged.recipe === null)
      for (const dataset of DATASET_NAMES.filter((name) => staged.known?.hasRows(name) === true)) {
        const sampled = await sampleTables(dataset, staged.staging, staged.reading);
        if (sampled !== null) samples.set(dataset, sampled);
      }
    return new ResavedTables(staged, samples);
  }

  readonly onMatched = (matched: MatchedRows): void => {
    const sampled = this.#samples.get(matched.codes.dataset);
    if (sampled === undefined) return;
    const found = tablesOfMonthBefore(matched, sampled, this.#textOf);
    this.#found = [...this.#found, ...found.map((table) => ({ sampled, table }))];
  };

  readonly #textOf = (code: number) => this.#staged.staging.text(code);

  /**
   * Warns of the tables that were found, when the current snapshot is of an earlier month. A table that repeated in the
   * month before too is left out, because it is not delivered every month. A file that is the same byte by byte is left
   * out, because `repeatedFiles.ts` warns of it.
   */
  async warn(compared: ComparedMonth): Promise<void> {
    const { current: before, options } = compared;
    const { dataDir, month } = options;
    if (this.#found.length === 0 || before.id === null || before.month >= month) return;
    const { sources } = await readAnyManifest(snapshotDirectory(dataDir, before.id));
    const known = new Set(sources.map(({ sha256 }) => sha256));
    const { reading, problems } = this.#staged;
    const isRepeatedFile = (name: string) =>
      reading.files.some(({ file, sha256 }) => file === name && known.has(sha256));
    const [older] = await newestIdsOfEarlierMonths(dataDir, before.month);
    for (const { sampled, table } of this.#found) {
      if (isRepeatedFile(table.file)) continue;
      if (older !== undefined && (await this.#hasRows(older, sampled, table, compared))) continue;
      problems.add('warning', wholeTable(table), {
        problem: `${sameRowsText(before.id, table)}, although most other tables of ${sampled.dataset} are new`,
        remedy: "put this month's figures in its place, unless nothing in it changed",
        kind: 'has the rows of the month before',
      });
    }
  }

  /** Whether an older snapshot has the rows of a table too. */
  async #hasRows(
    id: string,
    sampled: SampledRows,
    table: SampledTable,
    month: ComparedMonth,
  ): Promise<boolean> {
    const side = await snapshotSide(month.options.dataDir, id).catch(() => null);
    if (side === null || side.datasets[sampled.dataset] === undefined) return false;
    const folder = path.join(month.workDir, 'older', sampled.dataset, String(sampled.tables.indexOf(table)));
    const written = { id: null, ...month.written, unknown: [] };
    const { before, after } = await withCommonDatasets(side, written, folder);
    const engine = await ComparisonEngine.open(path.join(folder, 'spill'), 1);
    try {
      const years = new ComparisonYears(before.month, after.month);
      const matched = await matchRows(engine, sampled.dataset, { before, after, years });
      return unchangedTables(matched, sampled, this.#textOf).includes(table);
    } finally {
      engine.close();
    }
  }
}

/** The text on the rows that are the same: all of them, or the sampled ones of a large table. */
const sameRowsText = (id: string, { facts, sampledRows }: SampledTable): string =>
  sampledRows === facts
    ? `has the rows of ${id}`
    : `has the rows of ${id} in all ${count(sampledRows)} of ${count(facts)} rows that were looked at`;
