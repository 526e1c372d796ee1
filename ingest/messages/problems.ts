// Collects what is wrong or remarkable in the sources: all of it in one run, the first ones in words, the rest counted.

import { messageOf, type Said } from './fault.ts';
import { type Place, printed } from './place.ts';

/** Errors and unreadable files stop a publish; warnings do so under --strict; notes only tell. */
export type Severity = 'unreadable' | 'error' | 'warning' | 'note';

/** Worst first. */
const SEVERITIES: readonly Severity[] = ['unreadable', 'error', 'warning', 'note'];

export interface Problem extends Place {
  readonly severity: Severity;
  /** As it is printed: `ggr.xlsx › Data!C41`. */
  readonly place: string;
  /** Problem and remedy in one text. */
  readonly message: string;
  readonly problem: string;
  readonly remedy: string | null;
  /** Problems of one severity and kind are printed as one group. */
  readonly kind: string;
}

/** How many problems of one severity are held; the rest is counted. */
const SHOWN = 10_000;

export class Problems {
  readonly #kept: Problem[] = [];
  readonly #counts: Record<Severity, number> = { unreadable: 0, error: 0, warning: 0, note: 0 };

  add(severity: Severity, place: Place, what: Said | string): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] > SHOWN) return;
    const said = typeof what === 'string' ? { problem: what, remedy: null } : what;
    const { problem, remedy, kind = problem } = said;
    this.#kept.push({
      severity,
      ...place,
      place: printed(place),
      message: messageOf(said),
      problem,
      remedy,
      kind,
    });
  }

  /** Counts problems that were found but not fetched. */
  addUnseen(severity: Severity, count: number): void {
    this.#counts[severity] += count;
  }

  /** Adds all problems of another collection. */
  absorb(other: Problems): void {
    for (const severity of SEVERITIES) {
      const inWords = other.#kept.filter((problem) => problem.severity === severity);
      const room = Math.max(0, SHOWN - this.#counts[severity]);
      this.#kept.push(...inWords.slice(0, room));
      this.#counts[severity] += other.#counts[severity];
    }
  }

  /** Those held, at most `most` of each severity, worst first, otherwise in the order found. */
  list(most = SHOWN): readonly Problem[] {
    return SEVERITIES.flatMap((severity) =>
      this.#kept.filter((problem) => problem.severity === severity).slice(0, most),
    );
  }

  /** How many errors there are so far. */
  get errors(): number {
    return this.#counts.error;
  }

  count(...severities: readonly Severity[]): number {
    return severities.reduce((sum, severity) => sum + this.#counts[severity], 0);
  }

  /** How many of a severity were found beyond those kept in words. */
  beyond(severity: Severity): number {
    return Math.max(0, this.#counts[severity] - SHOWN);
  }
}
