// Collects the problems of one run. It stores the first problems of each severity, and only counts the others.

import { type Diagnostic, messageOf } from './fault.ts';
import { type Place, placeText } from './place.ts';

/** Errors and unreadable files stop a publish, warnings do so with --strict, and notes never do. */
export type Severity = 'unreadable' | 'error' | 'warning' | 'note';

/** The severities, worst first. */
const SEVERITIES: readonly Severity[] = ['unreadable', 'error', 'warning', 'note'];

export interface Problem extends Place {
  readonly severity: Severity;
  /** The place as text: `ggr.xlsx › Data!C41`. */
  readonly place: string;
  /** Problem and remedy in one text. */
  readonly message: string;
  readonly problem: string;
  readonly remedy: string | null;
  /** Problems of one severity and kind are printed as one group. */
  readonly kind: string;
}

/** How many problems of one severity are stored. The others are counted. */
const MOST_STORED = 10_000;

/** The problems and their counts as plain data, which one process sends to another. */
export interface StoredProblems {
  readonly problems: readonly Problem[];
  readonly counts: Readonly<Record<Severity, number>>;
}

export class Problems {
  readonly #stored: Problem[] = [];
  readonly #counts: Record<Severity, number> = { unreadable: 0, error: 0, warning: 0, note: 0 };

  static of({ problems, counts }: StoredProblems): Problems {
    const collection = new Problems();
    collection.#stored.push(...problems);
    Object.assign(collection.#counts, counts);
    return collection;
  }

  get stored(): StoredProblems {
    return { problems: this.#stored, counts: this.#counts };
  }

  add(severity: Severity, place: Place, diagnostic: Diagnostic | string): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] > MOST_STORED) return;
    const whole = typeof diagnostic === 'string' ? { problem: diagnostic, remedy: null } : diagnostic;
    const { problem, remedy, kind = problem } = whole;
    this.#stored.push({
      severity,
      ...place,
      place: placeText(place),
      message: messageOf(whole),
      problem,
      remedy,
      kind,
    });
  }

  /** Counts problems whose details are not known. */
  addUnseen(severity: Severity, count: number): void {
    this.#counts[severity] += count;
  }

  /** Adds all problems of another collection. */
  absorb(other: Problems): void {
    for (const severity of SEVERITIES) {
      const stored = other.#stored.filter((problem) => problem.severity === severity);
      const room = Math.max(0, MOST_STORED - this.#counts[severity]);
      this.#stored.push(...stored.slice(0, room));
      this.#counts[severity] += other.#counts[severity];
    }
  }

  /** The stored problems, at most `most` of each severity: worst first, and those of one severity in the order found. */
  list(most = MOST_STORED): readonly Problem[] {
    return SEVERITIES.flatMap((severity) =>
      this.#stored.filter((problem) => problem.severity === severity).slice(0, most),
    );
  }

  /** How many errors there are so far. */
  get errors(): number {
    return this.#counts.error;
  }

  /** How many problems there are of these severities together. */
  count(...severities: readonly Severity[]): number {
    return severities.reduce((sum, severity) => sum + this.#counts[severity], 0);
  }
}
