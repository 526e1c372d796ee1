// Publishes a month: read → normalise → check → compare → report → publish, in that order; nothing wrong gets past checks and guards.

import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { readAnyManifest } from '../../src/catalog/verifyFiles.ts';
import { checkRows } from '../checks/checks.ts';
import { compareWithCurrent } from '../compare/current.ts';
import type { Acceptance, Comparison, GuardFinding } from '../compare/types.ts';
import type { GuardLimits } from '../guards/guard.ts';
import { type Guarded, guard, nothingToGuard } from '../guards/guards.ts';
import { wholeFile } from '../messages/place.ts';
import { type Problem, Problems } from '../messages/problems.ts';
import { reportOn } from '../report/make.ts';
import type { Report } from '../report/types.ts';
import { writeReport } from '../report/write.ts';
import { CHANGED, Intake } from '../sources/intake.ts';
import { KnownValues } from '../staging/known.ts';
import { readFile } from '../staging/readFile.ts';
import { type Destination, nothingRead, type Reading } from '../staging/reading.ts';
import { NO_OPTIONS, type ReadingOptions } from '../staging/readingOptions.ts';
import { readSources } from '../staging/readSources.ts';
import { readRecipeSources } from '../staging/recipeSources.ts';
import { EVERY_METRIC, Staging, stagingColumn, stagingTable } from '../staging/staging.ts';
import { CURRENT_DAMAGED, currentDamage } from '../store/currentDamage.ts';
import {
  type DatasetContent,
  publish,
  recover,
  TEMPORARY,
  type Written,
  writeFiles,
} from '../store/publish.ts';
import { nextRevision } from '../store/succession.ts';
import { verify } from '../store/verify.ts';
import { uncomparedText } from './output/comparison.ts';
import type { Progress } from './output/progress.ts';

export interface PublishOptions {
  readonly dataDir: string;
  /** The folder with the month's files. */
  readonly directory: string;
  readonly month: string;
  /** A folder with SQL that turns other people's tables into ours. */
  readonly recipe: string | null;
  /** How the sources are to be read. */
  readonly reading?: ReadingOptions;
  /** Datasets that keep the current snapshot's rows. */
  readonly carry: readonly DatasetName[];
  /** Do everything but publish. */
  readonly dryRun: boolean;
  /** Take warnings for errors. */
  readonly strict: boolean;
  readonly guards: GuardLimits;
  /** Findings of guards that are right, and why. */
  readonly accept: readonly Acceptance[];
  /** Why the month may be published past a damaged current snapshot; null when it may not. */
  readonly acceptDamagedCurrent?: string | null;
  readonly at: Date;
}

export interface PublishResult {
  readonly status: 'published' | 'unchanged' | 'checked' | 'rejected' | 'refused';
  /** The snapshot published, or the current one that holds the same already; null when rejected or refused. */
  readonly snapshot: string | null;
  readonly problems: readonly Problem[];
  /** How many there are of each severity, those beyond the first 10,000 included. */
  readonly counts: Readonly<Record<Problem['severity'], number>>;
  /** What the snapshot holds, when it came that far. */
  readonly manifest: Written | null;
  /** What changed against the current snapshot; null when it did not come that far or there was none. */
  readonly comparison: Comparison | null;
  /** What guards found suspicious in that. */
  readonly findings: readonly GuardFinding[];
  /** Why nothing could be compared with the current snapshot; null when it is whole, or there is none. */
  readonly currentDamage: DamageFinding | null;
  /** All of it for people to read, when it came that far. */
  readonly report: Report | null;
  readonly exitCode: 0 | 3 | 4 | 5;
}

/** The current snapshot is damaged: no guard could look at the month. */
export interface DamageFinding {
  readonly rule: typeof CURRENT_DAMAGED;
  readonly dataset: null;
  readonly severity: 'refuse';
  readonly message: string;
  /** What passes it. */
  readonly accept: string;
  /** Why a person let it pass, when one did. */
  readonly accepted: string | null;
}

/** Turns a folder of sources into the current snapshot, or says everything that stands in the way. */
export async function publishMonth(options: PublishOptions, progress: Progress): Promise<PublishResult> {
  await recover(options.dataDir);
  const workDir = path.join(options.dataDir, TEMPORARY);
  await mkdir(workDir, { recursive: true });
  const staging = await Staging.open(workDir);
  try {
    const problems = new Problems();
    const to = {
      staging,
      problems,
      reading: nothingRead(),
      intake: new Intake(workDir),
      options: options.reading ?? NO_OPTIONS,
      known: await knownValues(options.dataDir),
    };
    const recipe = await readAll(options, to, workDir, progress);
    await staging.finish();
    await refuseChanged(to);

    progress.phase('checking');
    const { reading } = to;
    requireEveryDataset(options, reading, problems);
    const present = new Set([...reading.facts].flatMap(([name, facts]) => (facts > 0 ? [name] : [])));
    await checkRows(staging, present, problems, reading.incomplete, to.known);
    await warnOfOlderMonth(options, problems);
    if (stops(problems, options.strict)) return rejected(problems, options.strict);

    progress.phase('writing');
    const directory = path.join(workDir, 'snapshot');
    const content = {
      datasets: contents(reading, options),
      sources: reading.files,
      recipe,
      reading: [...to.options.recorded, ...reading.recorded],
      accepted: [],
    };
    const written = await writeFiles(staging.connection, content, directory);
    staging.close();
    const damage = await damageFinding(options);
    const same = damage === null ? await unchanged(options, written, problems) : null;
    if (same !== null) return done('unchanged', same, problems, written);

    progress.phase('comparing');
    const month = { month: options.month, directory, datasets: written.datasets };
    const comparison = damage === null ? await compareWithCurrent(options.dataDir, workDir, month) : null;
    noteUncompared(comparison, problems);
    const guarded =
      comparison === null
        ? nothingToGuard(options.accept)
        : guard(comparison, options.guards, options.accept);
    noteIdle(guarded, problems);
    noteDamage(damage, options, problems);
    const manifest = { ...written, accepted: [...acceptedDamage(damage), ...guarded.accepted] };
    const isRefused = damage !== null && damage.accepted === null;
    const stopped = isRefused || stops(problems, options.strict, guarded);
    const revision = await nextRevision(options.dataDir, options.month);
    const id = `${options.month}.${revision}`;

    progress.phase('reporting');
    const report = await reportOn(directory, path.join(workDir, 'reported'), {
      status: stopped ? 'refused' : options.dryRun ? 'checked' : 'published',
      snapshot: stopped ? null : id,
      month: options.month,
      before: await currentId(options.dataDir),
      manifest,
      tables: reading.tables,
      ...told(problems, REPORTED),
      comparison,
      findings: guarded.findings,
    });
    const compared = { manifest, comparison, findings: guarded.findings, currentDamage: damage, report };
    if (stopped) return rejected(problems, options.strict, compared);
    await refuseChanged(to);
    if (stops(problems, options.strict)) return rejected(problems, options.strict);
    if (options.dryRun) return done('checked', id, problems, manifest, compared);

    progress.phase('publishing');
    await writeReport(directory, report);
    await publish(
      options.dataDir,
      directory,
      { id, month: options.month, revision, ...manifest },
      options.at,
    );
    return done('published', id, problems, manifest, compared);
  } finally {
    staging.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

/** A source that changed after it was read: what would be published is not what lies in the folder. */
async function refuseChanged({ intake, problems }: Destination): Promise<void> {
  for (const name of await intake.changed()) problems.add('unreadable', wholeFile(name), CHANGED);
}

/** The values of the current snapshot; null when there is none, or its manifest cannot be read. */
async function knownValues(dataDir: string): Promise<KnownValues | null> {
  const current = await currentId(dataDir);
  if (current === null) return null;
  const manifest = await readAnyManifest(snapshotDirectory(dataDir, current)).catch(() => null);
  return manifest === null ? null : new KnownValues(manifest);
}

/** Stages all sources, and the rows carried over as if they were one more source. */
async function readAll(
  options: PublishOptions,
  to: Destination,
  workDir: string,
  progress: Progress,
): Promise<Manifest['recipe']> {
  progress.phase('reading');
  const onProgress = (name: string, done: number, total: number) => progress.update(name, done, total);
  let recipe: Manifest['recipe'] = null;
  if (options.recipe === null) await readSources(options.directory, to, onProgress);
  else recipe = await readRecipeSources(options.recipe, options.directory, workDir, to, onProgress);
  const current = await currentId(options.dataDir);
  const damages = current !== null && options.carry.length > 0 ? await verify(options.dataDir, current) : [];
  for (const name of options.carry) {
    const damage = damages.find(({ file }) => file === `${name}.parquet` || file === 'manifest.json');
    if (to.reading.facts.has(name)) {
      to.problems.add(
        'error',
        wholeFile(name),
        `has a source and is carried as well; drop --carry ${name} or the source`,
      );
    } else if (current === null) {
      to.problems.add('error', wholeFile(name), 'cannot be carried: there is no snapshot yet; add a source');
    } else if (damages.length === 0 && !(await holds(options.dataDir, current, name))) {
      to.problems.add('error', wholeFile(name), {
        problem: `cannot be carried: ${current} does not hold it`,
        remedy: 'add a source',
      });
    } else if (damage !== undefined) {
      const message = `${damage.message}; its rows cannot be carried, add a source`;
      to.problems.add('unreadable', wholeFile(`${current}/${damage.file}`), message);
      to.reading.facts.set(name, 0);
    } else {
      const file = { name: `${current}/${name}.parquet`, dataset: name };
      await readFile(
        { ...file, path: path.join(options.dataDir, 'snapshots', current, `${name}.parquet`) },
        { ...to, options: NO_OPTIONS },
        () => {},
      );
    }
  }
  return recipe;
}

/** Whether a snapshot holds a dataset: one of another version may not. */
const holds = async (dataDir: string, id: string, name: DatasetName): Promise<boolean> =>
  (await readAnyManifest(snapshotDirectory(dataDir, id))).datasets[name] !== undefined;

function requireEveryDataset(options: PublishOptions, reading: Reading, problems: Problems): void {
  for (const name of DATASET_NAMES) {
    const facts = reading.facts.get(name);
    if (facts === undefined && !reading.unsure && !options.carry.includes(name)) {
      const remedy =
        options.recipe === null
          ? `add a file named after it, such as ${name.replaceAll('_', '-')}.xlsx`
          : `add ${name}.sql to the recipe`;
      problems.add(
        'error',
        wholeFile(name),
        `has no source; ${remedy}, or keep the current rows with --carry ${name}`,
      );
    } else if (facts === 0 && problems.count('error', 'unreadable') === 0 && mustHaveRows(name, options)) {
      const what =
        options.recipe === null
          ? 'in its sources; a header alone is not enough'
          : `from ${name}.sql, and the countries of other datasets are looked up in it; correct the SELECT`;
      problems.add('error', wholeFile(name), `has no row ${what}`);
    }
  }
}

/** A recipe may leave a dataset empty, but not the one that the countries of the others are looked up in. */
const mustHaveRows = (name: DatasetName, { recipe }: PublishOptions) =>
  recipe === null || DATASET_NAMES.some((other) => datasetOf(other).lookup === name);

/** An older month may be corrected, but readers of `current` would step back in time. */
async function warnOfOlderMonth(options: PublishOptions, problems: Problems): Promise<void> {
  const current = await currentId(options.dataDir);
  if (current === null || options.month >= current.slice(0, 7)) return;
  problems.add(
    'warning',
    wholeFile(options.month),
    `is before the current snapshot ${current} and would replace it as current`,
  );
}

const stops = (problems: Problems, strict: boolean, guarded?: Guarded) =>
  problems.count('error', 'unreadable', ...(strict ? (['warning'] as const) : [])) > 0 ||
  (guarded?.findings ?? []).some(
    ({ severity, accepted }) => accepted === null && (strict || severity === 'refuse'),
  );

/** What no guard could look at, because the current snapshot is of another version. */
function noteUncompared(comparison: Comparison | null, problems: Problems): void {
  for (const one of comparison?.uncompared ?? [])
    problems.add('note', wholeFile(one.dataset), uncomparedText(one, comparison?.before.id ?? null, null));
}

async function damageFinding({
  dataDir,
  acceptDamagedCurrent,
}: PublishOptions): Promise<DamageFinding | null> {
  const damage = await currentDamage(dataDir);
  if (damage === null) return null;
  return {
    rule: CURRENT_DAMAGED,
    dataset: null,
    severity: 'refuse',
    message: `${damage}; make a whole snapshot current with rollback, so that guards can look`,
    accept: `--accept ${CURRENT_DAMAGED} --reason "…"`,
    accepted: acceptDamagedCurrent ?? null,
  };
}

const acceptedDamage = (damage: DamageFinding | null): Manifest['accepted'] =>
  damage === null || damage.accepted === null
    ? []
    : [{ rule: damage.rule, reason: damage.accepted, findings: [damage.message] }];

/** The report knows the guards' findings alone: a note tells it that they did not look. */
function noteDamage(
  damage: DamageFinding | null,
  { month, acceptDamagedCurrent }: PublishOptions,
  problems: Problems,
): void {
  if (damage !== null)
    problems.add(
      'note',
      wholeFile(month),
      'nothing was compared with the current snapshot, and no guard looked',
    );
  else if ((acceptDamagedCurrent ?? null) !== null) noteNothingToAccept(CURRENT_DAMAGED, problems);
}

/** Accepting what no guard found does no harm, but may be a slip. */
function noteIdle({ idle }: Guarded, problems: Problems): void {
  for (const { rule, dataset, country = null } of idle) {
    const name = [rule, dataset, country].filter((part) => part !== null).join(':');
    noteNothingToAccept(name, problems);
  }
}

const noteNothingToAccept = (name: string, problems: Problems) =>
  problems.add('note', wholeFile(`--accept ${name}`), 'there was nothing of the kind to accept');

/** The current snapshot of this month when it is undamaged, has the same content and was read with the same options. */
async function unchanged(
  { dataDir, month }: PublishOptions,
  written: Written,
  problems: Problems,
): Promise<string | null> {
  const current = await currentId(dataDir);
  if (current === null || !current.startsWith(`${month}.`)) return null;
  if ((await verify(dataDir, current)).length > 0) {
    problems.add('note', wholeFile(current), 'the current snapshot is damaged; its month is published anew');
    return null;
  }
  const { fingerprint, reading } = await readAnyManifest(snapshotDirectory(dataDir, current));
  const isSame = fingerprint === written.fingerprint && isDeepStrictEqual(reading, written.reading);
  return isSame ? current : null;
}

/** The staged rows of each dataset as SQL, words put back for codes. */
function contents(reading: Reading, options: PublishOptions): Record<DatasetName, DatasetContent> {
  const entries = DATASET_NAMES.map((name) => {
    const isText = (dimension: DimensionName) => dimensionOf(dimension).type === 'text';
    const { dimensions } = datasetOf(name);
    const texts = dimensions.filter(isText);
    const select =
      `SELECT ${[
        ...dimensions.map((d) => (isText(d) ? `t_${d}.word AS ${d}` : d)),
        ...metricNames(name),
      ].join(', ')} FROM (${factsOf(name)}) ` +
      texts.map((d) => `JOIN texts t_${d} ON t_${d}.code = ${stagingColumn(d)}`).join(' ');
    const carried = options.carry.includes(name);
    const sources = reading.sources.get(name) ?? [];
    return [name, { select, sources, carried: carried ? (sources[0]?.split('/')[0] ?? null) : null }];
  });
  return Object.fromEntries(entries);
}

/** One row per fact: the metrics that wide sheets hold in rows of their own are brought together. */
function factsOf(name: DatasetName): string {
  const metrics = metricNames(name);
  const key = datasetOf(name).dimensions.map(stagingColumn).join(', ');
  const columns = [key, ...metrics].join(', ');
  if (metrics.length < 2) return `SELECT ${columns} FROM ${stagingTable(name)}`;
  const together = metrics.map((metric) => `max(${metric}) AS ${metric}`).join(', ');
  return (
    `SELECT ${columns} FROM ${stagingTable(name)} WHERE _metric = ${EVERY_METRIC} UNION ALL ` +
    `SELECT ${key}, ${together} FROM ${stagingTable(name)} WHERE _metric <> ${EVERY_METRIC} GROUP BY ${key}`
  );
}

type Compared = Pick<PublishResult, 'manifest' | 'comparison' | 'findings' | 'currentDamage' | 'report'>;

const NOTHING_COMPARED: Compared = {
  manifest: null,
  comparison: null,
  findings: [],
  currentDamage: null,
  report: null,
};

/** Of several exit codes the lowest counts: a refusal alone is 5, a warning that is taken for an error makes it 4. */
function rejected(problems: Problems, strict = false, compared = NOTHING_COMPARED): PublishResult {
  const warned = compared.findings.some((one) => one.accepted === null && one.severity === 'warn');
  const isWrong =
    problems.count('error', ...(strict ? (['warning'] as const) : [])) > 0 || (strict && warned);
  const exitCode = problems.count('unreadable') > 0 ? 3 : isWrong || compared === NOTHING_COMPARED ? 4 : 5;
  const status = exitCode === 5 ? 'refused' : 'rejected';
  return { status, snapshot: null, ...told(problems), ...compared, exitCode };
}

function done(
  status: 'published' | 'unchanged' | 'checked',
  snapshot: string,
  problems: Problems,
  manifest: Written,
  compared: Compared = NOTHING_COMPARED,
): PublishResult {
  return { status, snapshot, ...told(problems), ...compared, manifest, exitCode: 0 };
}

/** How many problems of a severity a report shows. */
const REPORTED = 200;

const told = (problems: Problems, most?: number) => ({
  problems: problems.list(most),
  counts: {
    unreadable: problems.count('unreadable'),
    error: problems.count('error'),
    warning: problems.count('warning'),
    note: problems.count('note'),
  },
});
