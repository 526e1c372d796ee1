// Warns of countries whose revised figures equal those of an older month, because a part of the file may be an old copy.

import path from 'node:path';
import { getOrInsert } from '../../../../src/basics/maps.ts';
import { snapshotDirectory } from '../../../../src/catalog/dataDirectory.ts';
import { additiveMetrics, type DatasetName, metricNames } from '../../../../src/catalog/datasets.ts';
import { manifestIfReadable } from '../../../../src/catalog/readManifest.ts';
import { literal, parquetRows } from '../../../../src/duckdb.ts';
import type { ComparisonEngine } from '../../../compare/comparisonEngine.ts';
import { CHANGE_KIND, changeKind, type MatchedRows } from '../../../compare/rows/matchedRows.ts';
import { count } from '../../../messages/numbers.ts';
import { wholeFile } from '../../../messages/place.ts';
import { newestIdsOfEarlierMonths } from './earlierMonths.ts';
import type { ComparedMonth } from './resavedTables.ts';

interface RevisedFigures {
  readonly years: number[];
  readonly values: number[];
}

/** Collects the revised figures of each country while a month is compared, and looks for them in an older snapshot. */
export class RestoredFigures {
  readonly #revised = new Map<DatasetName, ReadonlyMap<string, RevisedFigures>>();

  /** Collects the revised figures of a dataset whose only metric is an amount: ggr or turnover. */
  readonly onMatched = (matched: MatchedRows): void => {
    const { codes, after, changed, metrics } = matched;
    const [metric, ...others] = metrics;
    if (others.length > 0 || !additiveMetrics(codes.dataset).includes(metric ?? '')) return;
    const [countries, years] = [after.codes('country'), after.codes('year')];
    const byCode = new Map<number, RevisedFigures>();
    for (let i = 0; i < changed.count; i += 1) {
      if (changeKind(changed, i) !== CHANGE_KIND.revised) continue;
      const row = changed.after[i] as number;
      const code = countries[row] as number;
      const revised = getOrInsert(byCode, code, () => ({ years: [], values: [] }));
      revised.years.push(years[row] as number);
      revised.values.push(after.value(0, row));
    }
    const [names, numbers] = [codes.values('country'), codes.values('year')];
    this.#revised.set(
      codes.dataset,
      new Map(
        [...byCode].map(([code, { years: all, values }]) => [
          String(names[code]),
          { years: all.map((year) => Number(numbers[year])), values },
        ]),
      ),
    );
  };

  /**
   * Warns of countries whose revised figures all equal those of the month before the current snapshot. A second publication
   * of the same month is left out, because it corrects the first one. A month with a recipe is left out too, because
   * statistical offices publish at irregular times.
   */
  async warn({ options, staged, current, engine, fingerprints }: ComparedMonth): Promise<void> {
    const { dataDir, month } = options;
    const { recipe, reading, problems } = staged;
    if (recipe !== null || current.month >= month) return;
    const [last, older] = await newestIdsOfEarlierMonths(dataDir, month);
    if (last !== current.id || older === undefined) return;
    for (const [dataset, revised] of this.#revised) {
      const file = path.join(snapshotDirectory(dataDir, older), `${dataset}.parquet`);
      // An older snapshot may be damaged, or of another version of the program. Its figures are then not compared.
      const restored = await restoredCountries(engine, dataset, file, revised).catch(() => []);
      const [first, ...others] = restored;
      if (first === undefined) continue;
      // `olderRows.ts` warns of a dataset whose rows all equal those of the older month.
      const manifest = await manifestIfReadable(snapshotDirectory(dataDir, older));
      if (manifest?.datasets[dataset]?.fingerprint === (await fingerprints.datasets())[dataset].fingerprint)
        continue;
      const figures = restored.reduce((sum, country) => sum + (revised.get(country)?.values.length ?? 0), 0);
      const more =
        others.length === 0
          ? ''
          : ` and ${others.length === 1 ? others[0] : `${count(others.length)} other countries`}`;
      problems.add('warning', wholeFile(reading.sources.get(dataset)?.[0] ?? dataset), {
        problem: `all ${count(figures)} figures of ${dataset} of ${first}${more} that differ from ${last} are those of ${older} again`,
        remedy: `check that they are not from an old file, unless those of ${last} were wrong`,
        kind: 'figures are those of an older month again',
      });
    }
  }
}

/** The fewest revised figures of a country, and the fewest years. Fewer figures may return to old values by chance. */
const FEWEST_FIGURES = 10;
const FEWEST_YEARS = 2;

/** The countries whose revised figures are all in the older file, in the same country and year. */
async function restoredCountries(
  engine: ComparisonEngine,
  dataset: DatasetName,
  file: string,
  revised: ReadonlyMap<string, RevisedFigures>,
): Promise<readonly string[]> {
  const many = [...revised].filter(
    ([, { years, values }]) => values.length >= FEWEST_FIGURES && new Set(years).size >= FEWEST_YEARS,
  );
  if (many.length === 0) return [];
  const [metric = ''] = metricNames(dataset);
  // First, only the largest figure of each country is looked for. When the older file lacks it, the others need no
  // comparison.
  const samples = many.map(
    ([, { values }]) => `'${values.reduce((most, value) => Math.max(most, value))}'::DOUBLE`,
  );
  const rows = parquetRows(file);
  const found = await engine.rows(
    `SELECT DISTINCT country FROM ${rows} WHERE ${metric} IN (${samples.join(', ')})`,
  );
  const suspects = many.filter(([country]) => found.some(([one]) => one === country));
  if (suspects.length === 0) return [];
  const names = suspects.map(([country]) => literal(country)).join(', ');
  const older = new Set<string>();
  for (const [country, year, value] of await engine.rows(
    `SELECT country, year, ${metric} FROM ${rows} WHERE country IN (${names})`,
  ))
    older.add(keyOf(String(country), Number(year), Number(value)));
  return suspects.flatMap(([country, { years, values }]) =>
    values.every((value, i) => older.has(keyOf(country, years[i] as number, value))) ? [country] : [],
  );
}

const keyOf = (country: string, year: number, value: number): string => `${country}\n${year}\n${value}`;
