// Makes the report of a month: what was read, checked, accepted and changed. Every list has a limit.

import { byDataset, type DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import type { ComparisonEngine } from '../compare/comparisonEngine.ts';
import type { Comparison, DatasetComparison } from '../compare/comparisonTypes.ts';
import type { Revision, RowDimensions } from '../compare/revision.ts';
import type { Total } from '../compare/totalTypes.ts';
import { type FindingInLines, isRefused, RULES, type Rule } from '../guards/finding.ts';
import type { Problem, Severity } from '../messages/problems.ts';
import type { TableRead } from '../staging/reading.ts';
import { contentsOf, type DatasetContents } from './datasetContents.ts';
import { headline } from './headline.ts';
import type {
  BySeries,
  DatasetReport,
  Excerpt,
  FileRead,
  GuardResult,
  Report,
  ReportStatus,
} from './reportTypes.ts';
import {
  type RevisedSeries,
  type RowSeries,
  seriesOfRevisions,
  seriesOfRows,
  withoutArrived,
} from './rowSeries.ts';
import { totalMoveSize } from './totalsForReport.ts';

/** The most entries in each list of a report. The limits keep the report small, however much changed in the month. */
const MAX_LISTED = {
  files: 200,
  values: 100,
  currencies: 10,
  totals: 2_000,
  revisions: 100,
  series: 60,
  countries: 400,
  coverageChanges: 500,
  dimensionValues: 30,
} as const;

export interface ReportInput {
  readonly status: ReportStatus;
  readonly snapshot: string | null;
  readonly month: string;
  readonly manifest: Pick<Manifest, 'sources' | 'recipe' | 'accepted' | 'datasets'>;
  readonly tables: readonly TableRead[];
  readonly problems: readonly Problem[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** The id of the current snapshot; null when there is none. */
  readonly before: string | null;
  /** The comparison with the current snapshot; null when there is none, or it is damaged. */
  readonly comparison: Comparison | null;
  readonly currentDamage: Report['currentDamage'];
  readonly findings: readonly FindingInLines[];
}

/**
 * The report of a month. Equal input gives equal reports, because a report contains neither a time nor the path of a
 * folder.
 *
 * @param directory The folder of the written Parquet files, from which coverage and totals are read.
 */
export async function reportFromFiles(
  directory: string,
  engine: ComparisonEngine,
  input: ReportInput,
): Promise<Report> {
  const { status, snapshot, month, before, manifest, problems, counts, comparison, currentDamage, findings } =
    input;
  const contents = await contentsOf(engine, directory, comparison !== null);
  const datasets = byDataset((name) =>
    datasetReport(manifest.datasets[name], comparedDataset(comparison, name), contents[name]),
  );
  const comparedWith = comparison?.before.id ?? null;
  const about = { status, snapshot, month, before, comparedWith, currentDamage };
  const content = {
    checked: { counts, problems, guards: RULES.map((rule) => guardResult(rule, findings, comparison)) },
    accepted: manifest.accepted,
    datasets,
  };
  return {
    format: 1,
    ...about,
    headline: headline({ ...about, ...content }),
    read: readOf(manifest, input.tables),
    ...content,
  };
}

function readOf(
  { sources, recipe }: Pick<Manifest, 'sources' | 'recipe'>,
  tables: readonly TableRead[],
): Report['read'] {
  const read = (file: SourceManifest, path = file.file): FileRead => ({
    ...file,
    tables: tables.filter((table) => table.file === path).map(({ file: _, ...table }) => table),
  });
  return {
    files: excerptOf(
      sources.map((file) => read(file)),
      MAX_LISTED.files,
    ),
    recipe: recipe && {
      ...recipe,
      files: recipe.files.map((file) => read(file, `${recipe.name}/${file.file}`)),
    },
  };
}

/** The comparison of a dataset; null when nothing was compared or the snapshot before lacks the dataset. */
const comparedDataset = (comparison: Comparison | null, name: DatasetName): DatasetComparison | null =>
  comparison === null || comparison.uncompared?.some(({ dataset }) => dataset === name) === true
    ? null
    : comparison.datasets[name];

function guardResult(rule: Rule, all: readonly FindingInLines[], comparison: Comparison | null): GuardResult {
  const findings = all.filter((finding) => finding.rule === rule);
  if (comparison === null) return { rule, result: 'skipped', findings };
  if (findings.some(isRefused)) return { rule, result: 'refused', findings };
  if (findings.some(({ severity }) => severity === 'refuse')) return { rule, result: 'accepted', findings };
  return { rule, result: findings.length > 0 ? 'warned' : 'passed', findings };
}

function datasetReport(
  { rows, years, dimensions, carried }: DatasetManifest,
  compared: DatasetComparison | null,
  { coverage, totals }: DatasetContents,
): DatasetReport {
  const changes = compared ?? NO_CHANGES;
  const changedRows = withoutArrived(changes.added, changes.removed);
  return {
    rows: compared === null ? { ...NO_CHANGES.rows, before: null, after: rows } : compared.rows,
    same: compared?.same ?? false,
    carried,
    years,
    mainCurrencies: mostFrequent(dimensions.fx ?? []),
    countries: dimensions.country?.length ?? 0,
    metrics: changes.metrics,
    dimensions: changes.dimensions.map(({ dimension, appeared, vanished }) => ({
      dimension,
      appeared: excerptOf(appeared, MAX_LISTED.values),
      vanished: excerptOf(vanished, MAX_LISTED.values),
    })),
    totals: largestMoved(compared?.totals ?? totals),
    revised: {
      ...valuesBySeries(changes, 'revised', isRevised),
      largest: changes.revisions.filter(isRevised).slice(0, MAX_LISTED.revisions),
    },
    emptied: valuesBySeries(changes, 'emptied', ({ to }) => to === null),
    filled: valuesBySeries(changes, 'filled', ({ from }) => from === null),
    arrived: rowsBySeries(changes.rows.arrived, changedRows.arrived),
    added: rowsBySeries(changes.rows.added - changes.rows.arrived, changedRows.added),
    removed: rowsBySeries(changes.rows.removed - changes.rows.arrived, changedRows.removed),
    breakdown: breakdownOf(changes),
    coverage: {
      years: coverage.years,
      countries: excerptOf(coverage.countries, MAX_LISTED.countries),
      changes: excerptOf(changes.coverage, MAX_LISTED.coverageChanges),
    },
  };
}

const isRevised = ({ from, to }: Revision): boolean => from !== null && to !== null;

const breakdownOf = ({ breakdown }: Pick<DatasetComparison, 'breakdown'>): DatasetReport['breakdown'] => ({
  countries: excerptOf(breakdown.countries, MAX_LISTED.countries),
  dimensions: breakdown.dimensions.map(({ dimension, values }) => ({
    dimension,
    values: excerptOf(values, MAX_LISTED.dimensionValues),
  })),
});

function valuesBySeries(
  { metrics, revisions }: Pick<DatasetComparison, 'metrics' | 'revisions'>,
  kind: 'revised' | 'emptied' | 'filled',
  isOfKind: (revision: Revision) => boolean,
): BySeries<RevisedSeries> {
  const ofThisKind = revisions.filter(isOfKind);
  return {
    count: Object.values(metrics).reduce((sum, metric) => sum + metric[kind], 0),
    of: ofThisKind.length,
    series: excerptOf(seriesOfRevisions(ofThisKind), MAX_LISTED.series),
  };
}

const rowsBySeries = (count: number, keys: readonly RowDimensions[]): BySeries<RowSeries> => ({
  count,
  of: keys.length,
  series: excerptOf(seriesOfRows(keys), MAX_LISTED.series),
});

const mostFrequent = (values: readonly { value: string; rows: number }[]): readonly string[] =>
  [...values]
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MAX_LISTED.currencies)
    .map(({ value }) => value);

const NO_CHANGES = {
  rows: { after: 0, added: 0, removed: 0, revised: 0, arrived: 0 },
  metrics: {},
  dimensions: [],
  revisions: [],
  added: [],
  removed: [],
  coverage: [],
  breakdown: { countries: [], dimensions: [] },
} as const;

/** All totals; when there are more than the report may list, those that moved most. Their order stays the same. */
function largestMoved(totals: readonly Total[]): Excerpt<Total> {
  if (totals.length <= MAX_LISTED.totals) return { count: totals.length, shown: totals };
  const largest = new Set(
    [...totals].sort((a, b) => totalMoveSize(b) - totalMoveSize(a)).slice(0, MAX_LISTED.totals),
  );
  return { count: totals.length, shown: totals.filter((total) => largest.has(total)) };
}

const excerptOf = <T>(all: readonly T[], most: number): Excerpt<T> => ({
  count: all.length,
  shown: all.slice(0, most),
});
