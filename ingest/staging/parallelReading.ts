// Reads the large files of a month in other processes. Their rows are still added in the order of the file names.

import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { compiledScript } from '../../src/process/compiledScript.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { factsOf, formatOf } from '../messages/fileFormats.ts';
import type { SourceFile } from '../sources/folder.ts';
import { offlineEnvironment } from '../sources/offlineEnvironment.ts';
import type { SizedFile } from './duplicateFiles.ts';
import type { ReadReport, ReadRequest } from './readerProcess.ts';
import type { ReadingRun } from './reading.ts';
import type { StagedFile } from './stagedFile.ts';

/** The options of `ParallelReading`. Only tests set them. */
export interface ParallelReadingOptions {
  /** The number of processes that read at the same time, including this one. */
  readonly processes?: number;
  /** Whether a file is so large that another process saves time by reading it. */
  readonly isLarge?: (name: string, bytes: number) => boolean;
  /** The script that each of the other processes runs. */
  readonly reader?: string;
}

const isLargeFile = (name: string, bytes: number): boolean => {
  const format = formatOf(name);
  return format !== null && bytes >= factsOf(format).largeBytes;
};

/**
 * The files that other processes read. These processes begin with the last file. This process begins with the first one, so
 * all processes are busy until no file is left. The caller must call `close`.
 */
export class ParallelReading {
  readonly #waiting: FileJob[];
  readonly #jobs: ReadonlyMap<string, FileJob>;
  readonly #processes = new Set<ChildProcess>();
  readonly #mostProcesses: number;
  readonly #run: Pick<ReadingRun, 'options' | 'known'>;
  readonly #workDir: string;

  /** Starts the other processes. `workDir` is a folder for the databases of the files, which the caller removes. */
  constructor(
    sources: readonly SizedFile[],
    run: Pick<ReadingRun, 'options' | 'known'>,
    workDir: string,
    {
      processes = os.availableParallelism(),
      isLarge = isLargeFile,
      reader = READER,
    }: ParallelReadingOptions = {},
  ) {
    this.#mostProcesses = processes;
    this.#run = run;
    this.#workDir = workDir;
    const large = sources.filter(({ name, bytes }) => isLarge(name, bytes));
    const jobs = large.length > 1 && processes > 1 ? large.map((source) => new FileJob(source)) : [];
    this.#jobs = new Map(jobs.map((job) => [job.source.name, job]));
    this.#waiting = [...jobs];
    for (let i = 1; i < Math.min(processes, jobs.length); i++)
      // If a process does not start, this process reads the files instead.
      void this.#runReader(reader).catch(() => {});
  }

  /**
   * The file as another process read it. Null when the caller must read the file itself: no process began to read it, or
   * the process failed.
   */
  async takeStaged({ name }: SourceFile, onFraction: (fraction: number) => void): Promise<StagedFile | null> {
    const job = this.#jobs.get(name);
    if (job === undefined || this.#takeBack(job)) return null;
    job.onFraction = onFraction;
    return await job.ended;
  }

  /** Whether a core is idle while this process reads a file. */
  get hasIdleCore(): boolean {
    return this.#processes.size + 1 < this.#mostProcesses;
  }

  /** Takes back a file that no process began to read; false when one began. */
  #takeBack(job: FileJob): boolean {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  /** Ends the other processes. */
  close(): void {
    this.#waiting.length = 0;
    for (const process of this.#processes) process.kill('SIGKILL');
  }

  /** Starts a process, and lets it read one waiting file after another. */
  async #runReader(script: string): Promise<void> {
    const reader = fork(script, {
      execArgv: [],
      env: offlineEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#processes.add(reader);
    const ended = new Promise<null>((resolve) => {
      // When the machine cannot start another process, node emits `error` and no `exit`.
      reader.on('exit', () => resolve(null)).on('error', () => resolve(null));
    });
    for (let job = this.#waiting.pop(); job !== undefined; job = this.#waiting.pop()) {
      // If the other process cannot read a file, this process reads it again and reports the fault.
      const staged = await Promise.race([this.#read(reader, job), ended]).catch(() => null);
      job.end(staged);
      if (staged === null) break;
    }
    this.#processes.delete(reader);
    reader.removeAllListeners('message');
    reader.kill('SIGKILL');
    if (this.#processes.size > 0) return;
    for (const job of this.#waiting.splice(0)) job.end(null);
  }

  /** Sends a file to another process, and waits for the result. */
  async #read(reader: ChildProcess, job: FileJob): Promise<StagedFile> {
    const { source } = job;
    const workDir = path.join(this.#workDir, `${[...this.#jobs.keys()].indexOf(source.name)}`);
    makeFolders(workDir);
    const { options, known } = this.#run;
    return await new Promise((resolve) => {
      reader.removeAllListeners('message');
      reader.on('message', (report: ReadReport) => {
        if ('staged' in report) resolve(report.staged);
        else job.onFraction(report.fraction);
      });
      // Sending to a process that ended fails. The failure is ignored, because the exit event reports the end.
      reader.send(
        { source, workDir, options, known: known?.snapshot ?? null } satisfies ReadRequest,
        () => {},
      );
    });
  }
}

/** A file that another process reads, or may read. */
class FileJob {
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
