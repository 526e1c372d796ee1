// Runs the SELECTs of a recipe in a worker process. Gives the fault of each that failed, even if it ended the process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from '../../../src/process/compiledScript.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { offlineEnvironment } from '../offlineEnvironment.ts';
import type { Limits, Report, Request, Select } from './workerProcess.ts';

/** The limits of a SELECT. They are ample for published statistics, and stop a SELECT that never ends. */
export const SELECT_LIMITS: Limits = {
  deadlineMs: 10 * 60 * 1000,
  mostMemoryBytes: 2 * 2 ** 30,
  mostDiskBytes: 16 * 2 ** 30,
};

/**
 * Runs the SELECTs in order on the database in `workDir`, and creates a table for each. The caller must have closed the
 * database. When a SELECT ends the process or exceeds a limit, the SELECTs after it run in a new process.
 *
 * @param onBegin Receives the name of each SELECT that begins.
 * @returns The fault of each SELECT that failed, by its name. All other SELECTs have their table.
 */
export async function runInSandbox(
  workDir: string,
  selects: readonly Select[],
  limits: Limits,
  onBegin: (name: string) => void,
): Promise<ReadonlyMap<string, Diagnostic>> {
  const faults = new Map<string, Diagnostic>();
  let waiting = selects;
  while (waiting.length > 0) {
    const outcomes = await inOneProcess({ workDir, selects: waiting, limits }, onBegin);
    for (const [name, fault] of outcomes) if (fault !== null) faults.set(name, fault);
    waiting = waiting.filter(({ name }) => !outcomes.has(name));
  }
  return faults;
}

/**
 * Runs SELECTs in one process. Returns, by name, the fault of each SELECT that was run, or null when it succeeded. If the
 * process ended during a SELECT, that SELECT has a fault, and the SELECTs after it were not run.
 */
async function inOneProcess(
  request: Request,
  onBegin: (name: string) => void,
): Promise<ReadonlyMap<string, Diagnostic | null>> {
  const { selects, limits } = request;
  const outcomes = new Map<string, Diagnostic | null>();
  const worker = fork(WORKER, {
    execArgv: [],
    env: offlineEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void worker.kill('SIGKILL');
  process.once('exit', kill);
  let running = selects[0]?.name;
  let stopped: Diagnostic | null = null;
  let failure: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: Diagnostic) => {
    stopped ??= why;
    kill();
  };
  worker.on('message', (report: Report) => {
    if ('failure' in report) failure = report.failure;
    else if ('excess' in report) stop(EXCESS[report.excess](limits));
    else if ('begun' in report) {
      running = report.begun;
      onBegin(running);
      clearTimeout(timer);
      timer = setTimeout(() => stop(EXCESS.time(limits)), limits.deadlineMs);
    } else outcomes.set(report.ended, report.fault);
  });
  try {
    const ended = Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]);
    worker.send(request);
    const [[code, signal]] = await ended;
    if (failure !== null) throw new Error(failure);
    if (outcomes.size < selects.length && running !== undefined && !outcomes.has(running))
      outcomes.set(running, stopped ?? crash(signal ?? `exit code ${code}`));
    return outcomes;
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
  }
}

/** @param end The signal or exit code with which the process ended. */
const crash = (end: string): Diagnostic => ({
  problem: `crashed the engine (${end})`,
  remedy: 'write it another way',
});

const EXCESS: Readonly<Record<'time' | 'memory' | 'disk', (limits: Limits) => Diagnostic>> = {
  time: ({ deadlineMs }) => ({
    problem: `did not finish within ${deadlineMs / 1000} s`,
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

const WORKER = compiledScript('ingest/sources/recipes/workerProcess.js');
