// Has a recipe's SELECTs run by another process, and says of each why it failed, even if it takes that process with it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Limits, Order, Report } from './workerProcess.ts';

export type { Limits } from './workerProcess.ts';

/** A SELECT may work hard, but not forever, and leaves room for others. */
export const LIMITS: Limits = {
  deadlineMs: 10 * 60 * 1000,
  mostMemoryBytes: 2 * 2 ** 30,
  mostDiskBytes: 16 * 2 ** 30,
};

export interface Containing {
  readonly limits: Limits;
  /** Called when a SELECT begins. */
  readonly begun: (dataset: DatasetName) => void;
}

/**
 * Runs the SELECTs in turn over the database in `workDir`, which must be closed meanwhile. Gives the fault of each that
 * failed; of all others the result is there.
 */
export async function runContained(
  workDir: string,
  selects: Order['selects'],
  containing: Containing,
): Promise<ReadonlyMap<DatasetName, string>> {
  const faults = new Map<DatasetName, string>();
  let waiting = selects;
  while (waiting.length > 0) {
    const outcomes = await inOneProcess(workDir, waiting, containing);
    for (const [dataset, fault] of outcomes) if (fault !== null) faults.set(dataset, fault);
    waiting = waiting.filter(([dataset]) => !outcomes.has(dataset));
  }
  return faults;
}

/** The fault, or null, of as many SELECTs as the process lived to end, and of the one it died of. */
async function inOneProcess(
  workDir: string,
  selects: Order['selects'],
  { limits, begun }: Containing,
): Promise<ReadonlyMap<DatasetName, string | null>> {
  const outcomes = new Map<DatasetName, string | null>();
  const child = fork(CHILD, {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let atWork = selects[0]?.[0];
  let stopped: string | null = null;
  let failure: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: string) => {
    stopped ??= why;
    kill();
  };
  child.on('message', (report: Report) => {
    if ('failure' in report) failure = report.failure;
    else if ('excess' in report) stop(EXCESS[report.excess](limits));
    else if ('begun' in report) {
      atWork = report.begun;
      begun(atWork);
      clearTimeout(timer);
      timer = setTimeout(() => stop(EXCESS.time(limits)), limits.deadlineMs);
    } else outcomes.set(report.ended, report.fault);
  });
  try {
    const gone = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    child.send({ workDir, selects, limits } satisfies Order);
    const [[code, signal]] = await gone;
    if (failure !== null) throw new Error(failure);
    if (outcomes.size < selects.length && atWork !== undefined && !outcomes.has(atWork))
      outcomes.set(
        atWork,
        stopped ?? `brought the engine down (${signal ?? `exit code ${code}`}); write it another way`,
      );
    return outcomes;
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
  }
}

const EXCESS: Readonly<Record<'time' | 'memory' | 'disk', (limits: Limits) => string>> = {
  time: ({ deadlineMs }) =>
    `did not end within ${deadlineMs / 1000} s; look for a join without a condition or an endless recursion`,
  memory: ({ mostMemoryBytes }) =>
    `took more than ${mostMemoryBytes / 2 ** 20} MB of memory; look for lists and texts that grow without bound`,
  disk: ({ mostDiskBytes }) =>
    `took more than ${mostDiskBytes / 2 ** 20} MB of disk; look for a join without a condition`,
};

/** As it was built: from the sources, which tests run, nothing else could be started. */
const CHILD = path.join(
  packageFolder(path.dirname(fileURLToPath(import.meta.url))),
  'dist/ingest/sources/recipes/workerProcess.js',
);

function packageFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : packageFolder(path.dirname(folder));
}
