// Runs a recipe's SELECTs in a worker process, and says why each failed, even when it takes the process down.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Said } from '../../messages/fault.ts';
import type { Limits, Order, Report } from './workerProcess.ts';

export type { Limits } from './workerProcess.ts';

/** A SELECT may work hard, but not forever, and leaves room for others. */
export const LIMITS: Limits = {
  deadlineMs: 10 * 60 * 1000,
  mostMemoryBytes: 2 * 2 ** 30,
  mostDiskBytes: 16 * 2 ** 30,
};

export interface SandboxOptions {
  readonly limits: Limits;
  /** Called when a SELECT begins. */
  readonly begun: (dataset: DatasetName) => void;
}

/**
 * Runs the SELECTs in turn over the database in `workDir`, which must be closed meanwhile. Gives the fault of each that
 * failed; of all others the result is there.
 */
export async function runInSandbox(
  workDir: string,
  selects: Order['selects'],
  options: SandboxOptions,
): Promise<ReadonlyMap<DatasetName, Said>> {
  const faults = new Map<DatasetName, Said>();
  let waiting = selects;
  while (waiting.length > 0) {
    const outcomes = await inOneProcess(workDir, waiting, options);
    for (const [dataset, fault] of outcomes) if (fault !== null) faults.set(dataset, fault);
    waiting = waiting.filter(([dataset]) => !outcomes.has(dataset));
  }
  return faults;
}

/** The fault, or null, of as many SELECTs as the process lived to end, and of the one it died of. */
async function inOneProcess(
  workDir: string,
  selects: Order['selects'],
  { limits, begun }: SandboxOptions,
): Promise<ReadonlyMap<DatasetName, Said | null>> {
  const outcomes = new Map<DatasetName, Said | null>();
  const worker = fork(WORKER, {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void worker.kill('SIGKILL');
  process.once('exit', kill);
  let atWork = selects[0]?.[0];
  let stopped: Said | null = null;
  let failure: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: Said) => {
    stopped ??= why;
    kill();
  };
  worker.on('message', (report: Report) => {
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
    const gone = Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]);
    worker.send({ workDir, selects, limits } satisfies Order);
    const [[code, signal]] = await gone;
    if (failure !== null) throw new Error(failure);
    if (outcomes.size < selects.length && atWork !== undefined && !outcomes.has(atWork))
      outcomes.set(
        atWork,
        stopped ?? {
          problem: `brought the engine down (${signal ?? `exit code ${code}`})`,
          remedy: 'write it another way',
        },
      );
    return outcomes;
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
  }
}

const EXCESS: Readonly<Record<'time' | 'memory' | 'disk', (limits: Limits) => Said>> = {
  time: ({ deadlineMs }) => ({
    problem: `did not end within ${deadlineMs / 1000} s`,
    remedy: 'look for a join without a condition or an endless recursion',
  }),
  memory: ({ mostMemoryBytes }) => ({
    problem: `took more than ${mostMemoryBytes / 2 ** 20} MB of memory`,
    remedy: 'look for lists and texts that grow without bound',
  }),
  disk: ({ mostDiskBytes }) => ({
    problem: `took more than ${mostDiskBytes / 2 ** 20} MB of disk`,
    remedy: 'look for a join without a condition',
  }),
};

/** The built file: tests run the TypeScript sources, and a process of its own cannot be started from those. */
const WORKER = path.join(
  packageFolder(path.dirname(fileURLToPath(import.meta.url))),
  'dist/ingest/sources/recipes/workerProcess.js',
);

function packageFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : packageFolder(path.dirname(folder));
}
