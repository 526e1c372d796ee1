// Reads the large files of a month in other processes. They join the month in the order of their names.

import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { makeFolders } from '../../src/makeFolders.ts';
import { factsOf, formatOf } from '../messages/formats.ts';
import { compiledScript } from '../sources/compiledScript.ts';
import type { SourceFile } from '../sources/folder.ts';
import { offlineEnvironment } from '../sources/offlineEnvironment.ts';
import type { ReadReport, ReadRequest } from './readerProcess.ts';
import type { Destination } from './reading.ts';
import type { StagedFile } from './stagedFile.ts';

export interface ReadAheadOptions {
  /** How many processes read at the same time, including this one. */
  readonly processes?: number;
  /** Whether a file is so large that reading it elsewhere takes less time. */
  readonly isLarge?: (name: string, bytes: number) => boolean;
  /** The script that each process runs. */
  readonly reader?: string;
}

const isLargeFile = (name: string, bytes: number): boolean => {
  const format = formatOf(name);
  return format !== null && bytes >= factsOf(format).largeBytes;
};

/**
 * Files that other processes read. They begin with the last file and this process with the first, so that no process waits
 * while a file is left. Close it when all files are taken, or are no longer wanted.
 */
export class ReadAhead {
  readonly #waiting: Job[];
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #processes = new Set<ChildProcess>();
  readonly #mostProcesses: number;
  readonly #to: Destination;
  readonly #workDir: string;

  /** @param workDir A folder for the databases of the files; the caller removes it. */
  constructor(
    sources: readonly (SourceFile & { readonly bytes: number })[],
    to: Destination,
    workDir: string,
    { processes = os.availableParallelism(), isLarge = isLargeFile, reader = READER }: ReadAheadOptions = {},
  ) {
    this.#mostProcesses = processes;
    this.#to = to;
    this.#workDir = workDir;
    const large = sources.filter(({ name, bytes }) => isLarge(name, bytes));
    const jobs = large.length > 1 && processes > 1 ? large.map((source) => new Job(source)) : [];
    this.#jobs = new Map(jobs.map((job) => [job.source.name, job]));
    this.#waiting = [...jobs];
    for (let i = 1; i < Math.min(processes, jobs.length); i++)
      // A process that cannot be started reads nothing, so its files are read here.
      void this.#work(reader).catch(() => {});
  }

  /**
   * The file as another process has read it. Null when no process has begun it or none could read it: it must then be
   * read here.
   */
  async take({ name }: SourceFile, onFraction: (fraction: number) => void): Promise<StagedFile | null> {
    const job = this.#jobs.get(name);
    if (job === undefined || this.#takeBack(job)) return null;
    job.onFraction = onFraction;
    return await job.ended;
  }

  /** Whether a core has nothing to do while this process reads a file. */
  get leavesCores(): boolean {
    return this.#processes.size + 1 < this.#mostProcesses;
  }

  /** Takes back a file that no process has begun to read; false when one has begun. */
  #takeBack(job: Job): boolean {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  close(): void {
    this.#waiting.length = 0;
    for (const process of this.#processes) process.kill('SIGKILL');
  }

  /** Starts a process, and has it read one waiting file after another. */
  async #work(script: string): Promise<void> {
    const reader = fork(script, {
      execArgv: [],
      env: offlineEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#processes.add(reader);
    const gone = new Promise<null>((resolve) => {
      // When the machine cannot start another process, node emits `error` and no `exit`.
      reader.on('exit', () => resolve(null)).on('error', () => resolve(null));
    });
    for (let job = this.#waiting.pop(); job !== undefined; job = this.#waiting.pop()) {
      // What fails here fails again when this process reads the file, which then reports it.
      const staged = await Promise.race([this.#read(reader, job), gone]).catch(() => null);
      job.end(staged);
      if (staged === null) break;
    }
    this.#processes.delete(reader);
    reader.removeAllListeners('message');
    reader.kill('SIGKILL');
    if (this.#processes.size > 0) return;
    for (const job of this.#waiting.splice(0)) job.end(null);
  }

  async #read(reader: ChildProcess, job: Job): Promise<StagedFile> {
    const { source } = job;
    const workDir = path.join(this.#workDir, `${[...this.#jobs.keys()].indexOf(source.name)}`);
    makeFolders(workDir);
    const { options, known } = this.#to;
    return await new Promise((resolve) => {
      reader.removeAllListeners('message');
      reader.on('message', (report: ReadReport) => {
        if ('staged' in report) resolve(report.staged);
        else job.onFraction(report.fraction);
      });
      // Sending to a process that has ended fails. Its exit event reports that.
      reader.send(
        { source, workDir, options, known: known?.snapshot ?? null } satisfies ReadRequest,
        () => {},
      );
    });
  }
}

/** A file that is to be read, or is read already. */
class Job {
  readonly source: SourceFile;
  readonly ended: Promise<StagedFile | null>;
  end: (staged: StagedFile | null) => void = () => {};
  onFraction: (fraction: number) => void = () => {};

  constructor({ name, path, dataset }: SourceFile) {
    this.source = { name, path, dataset };
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }
}

const READER = compiledScript('ingest/staging/readerProcess.js');
