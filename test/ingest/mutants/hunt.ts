// Reads mutants one after the other, and lists those that were read wrongly.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Verdict, verdictOn } from './verdict.ts';
import { watchdog } from './watchdog.ts';

export interface Mutant {
  readonly kind: string;
  /** The name of the file. Its ending selects the reader. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The changes that made the mutant. */
  readonly changes: readonly string[];
  /** What is wrong with the outcome of reading the mutant; null when nothing is. */
  readonly complaint: (verdict: Verdict) => string | null;
}

export interface Findings {
  /** For each kind of mutant, the number of mutants with each outcome. */
  readonly tally: Readonly<Record<string, Readonly<Record<Verdict['outcome'], number>>>>;
  readonly complaints: readonly string[];
  readonly slowestMs: number;
}

/** Reads the mutants with these numbers. The same numbers give the same findings. */
export async function hunt(
  make: (number: number) => Mutant,
  first: number,
  count: number,
): Promise<Findings> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mutants-'));
  const tally: Record<string, Record<Verdict['outcome'], number>> = {};
  const complaints: string[] = [];
  let slowestMs = 0;
  const watching = watchdog();
  try {
    for (let number = first; number < first + count; number++) {
      watching.begin(number);
      const mutant = make(number);
      const begun = performance.now();
      const verdict = await verdictOn(mutant.bytes, path.join(directory, mutant.name), mutant.name);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      tally[mutant.kind] ??= { rows: 0, refused: 0, fault: 0 };
      const counts = tally[mutant.kind];
      if (counts) counts[verdict.outcome] += 1;
      const complaint = verdict.outcome === 'fault' ? verdict.what : mutant.complaint(verdict);
      if (complaint !== null)
        complaints.push(`${number} ${mutant.kind} (${mutant.changes.join('; ')}): ${complaint}`);
    }
  } finally {
    await watching.end();
    await rm(directory, { recursive: true, force: true });
  }
  return { tally, complaints, slowestMs };
}

/** A text that quotes the JSON of both values around their first difference; null when they are equal. */
export function firstDifference(expected: unknown, found: unknown): string | null {
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
  if (one === other) return null;
  let at = 0;
  while (one[at] === other[at]) at++;
  return `…${one.slice(Math.max(0, at - 60), at + 60)} became …${other.slice(Math.max(0, at - 60), at + 60)}`;
}
