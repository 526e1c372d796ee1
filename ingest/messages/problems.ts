// Collects the problems of one run. The first problems of each severity and kind are stored, the others only counted.

import { type Diagnostic, messageOf } from './fault.ts';
import { count } from './numbers.ts';
import { type Place, placeText } from './place.ts';

/** Errors and unreadable files stop a publish, warnings do so with --strict, and notes never do. */
export type Severity = 'unreadable' | 'error' | 'warning' | 'note';

/** The severities, worst first. */
export const SEVERITIES: readonly Severity[] = ['unreadable', 'error', 'warning', 'note'];

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
  /** How many cells the problem stands for; absent for one cell. */
  readonly cells?: number;
}

/** How many problems of one severity are stored, of whatever kind. */
const MOST_STORED = 10_000;
/**
 * Once `MOST_STORED` problems are stored, only the first 5 of each kind are added. A frequent kind then hides no rare one.
 */
const LATER_OF_KIND = 5;
/** How many kinds are counted. A kind may quote a value of the source, so there may be as many kinds as cells. */
const MOST_KINDS = 20_000;

/** The most characters of a problem. A cell that it quotes may have 32,767. */
const LONGEST_PROBLEM = 1000;
const BEGINNING = 600;
const END = 300;

/** The text, without the middle of a long one. */
const shortened = (problem: string): string =>
  problem.length <= LONGEST_PROBLEM
    ? problem
    : `${problem.slice(0, BEGINNING)} … (${count(problem.length - BEGINNING - END)} characters) … ${problem.slice(-END)}`;

export type ProblemGroup = Pick<Problem, 'severity' | 'kind' | 'remedy'>;

/** The key of a group of problems, for maps. */
export const groupKey = ({ severity, kind, remedy }: ProblemGroup): string =>
  `${severity}\0${kind}\0${remedy ?? ''}`;

/** The problems and their counts as plain data. A process that reads a file sends them to the main process. */
export interface StoredProblems {
  readonly problems: readonly Problem[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many problems each group has, with the key of the group. */
  readonly groups: readonly (readonly [key: string, count: number])[];
}

/** The problems of one run, by severity and kind. */
export class Problems {
  readonly #stored: Problem[] = [];
  readonly #counts: Record<Severity, number> = { unreadable: 0, error: 0, warning: 0, note: 0 };
  readonly #groups = new Map<string, number>();

  static of({ problems, counts, groups }: StoredProblems): Problems {
    const collection = new Problems();
    collection.#stored.push(...problems);
    Object.assign(collection.#counts, counts);
    for (const [key, count] of groups) collection.#groups.set(key, count);
    return collection;
  }

  get stored(): StoredProblems {
    return { problems: this.#stored, counts: this.#counts, groups: [...this.#groups] };
  }

  /** @param diagnostic A text is a problem without a remedy. */
  add(severity: Severity, place: Place, diagnostic: Diagnostic | string): void {
    const given = typeof diagnostic === 'string' ? { problem: diagnostic, remedy: null } : diagnostic;
    const problem = shortened(given.problem);
    const { remedy, kind = problem, cells = 1 } = given;
    if (!this.#countOne({ severity, kind, remedy })) return;
    this.#stored.push({
      severity,
      ...place,
      place: placeText(place),
      message: messageOf({ problem, remedy }),
      problem,
      remedy,
      kind,
      ...(cells > 1 && { cells }),
    });
  }

  /** Counts problems of a group whose details are not known. */
  addUnseen(group: ProblemGroup, count: number): void {
    this.#counts[group.severity] += count;
    this.#countAlike(groupKey(group), count);
  }

  /** Adds all problems of another collection. */
  absorb(other: Problems): void {
    const unseen = new Map(other.#groups);
    const counts = { ...other.#counts };
    for (const problem of other.#stored) {
      const key = groupKey(problem);
      unseen.set(key, (unseen.get(key) ?? 1) - 1);
      counts[problem.severity] -= 1;
      if (this.#countOne(problem)) this.#stored.push(problem);
    }
    for (const severity of SEVERITIES) this.#counts[severity] += counts[severity];
    for (const [key, count] of unseen) if (count > 0) this.#countAlike(key, count);
  }

  /** Counts a problem, and returns whether it must be stored. */
  #countOne(group: ProblemGroup): boolean {
    const ofSeverity = ++this.#counts[group.severity];
    const alike = this.#countAlike(groupKey(group), 1);
    return ofSeverity <= MOST_STORED || alike <= LATER_OF_KIND;
  }

  /** Adds to the count of a group, and returns the new count; infinity when there are too many groups to count this one. */
  #countAlike(key: string, count: number): number {
    const before = this.#groups.get(key);
    if (before === undefined && this.#groups.size >= MOST_KINDS) return Number.POSITIVE_INFINITY;
    const after = (before ?? 0) + count;
    this.#groups.set(key, after);
    return after;
  }

  /**
   * How many problems the group of a problem has, including those that are not stored; 0 for a group that was not counted.
   */
  countLike(group: ProblemGroup): number {
    return this.#groups.get(groupKey(group)) ?? 0;
  }

  /** The stored problems, at most `most` of each severity: the worst severity first, and each in the order of finding. */
  list(most = Number.POSITIVE_INFINITY): readonly Problem[] {
    return SEVERITIES.flatMap((severity) =>
      this.#stored.filter((problem) => problem.severity === severity).slice(0, most),
    );
  }

  get counts(): Readonly<Record<Severity, number>> {
    return { ...this.#counts };
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
