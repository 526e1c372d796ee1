// Holds the far years that a person accepts with `--accept far-years`, and records which of them a month has.

import { getOrInsert } from '../../src/basics/maps.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';

/** The rule that refuses a year far from all others of its dataset. People can accept it like the rule of a guard. */
export const FAR_YEARS = 'far-years';

/** The years of an acceptance, both ends included. */
export interface YearSpan {
  readonly first: number;
  readonly last: number;
}

/** A person's acceptance of far years, with the reason. Without a dataset, or without years, it applies to all of them. */
export interface YearAcceptance {
  readonly dataset: DatasetName | null;
  readonly years: YearSpan | null;
  readonly reason: string;
}

export class AcceptedYears {
  readonly #acceptances: readonly YearAcceptance[];
  readonly #findings = new Map<YearAcceptance, string[]>();

  constructor(acceptances: readonly YearAcceptance[] = []) {
    this.#acceptances = acceptances;
  }

  /** The acceptance of a year, the narrowest of those that fit; undefined when nobody accepted it. */
  of(dataset: DatasetName, year: number): YearAcceptance | undefined {
    const fitting = this.#acceptances.filter(
      (one) =>
        (one.dataset === null || one.dataset === dataset) &&
        (one.years === null || (year >= one.years.first && year <= one.years.last)),
    );
    const width = ({ dataset: of, years }: YearAcceptance) => Number(of === null) + Number(years === null);
    return fitting.toSorted((a, b) => width(a) - width(b))[0];
  }

  /** Records what an acceptance accepted, for the manifest. */
  record(acceptance: YearAcceptance, dataset: DatasetName, problem: string): void {
    getOrInsert(this.#findings, acceptance, () => []).push(`${dataset}: ${problem}`);
  }

  get accepted(): Manifest['accepted'] {
    return [...this.#findings].map(([{ dataset, reason }, findings]) => ({
      rule: FAR_YEARS,
      ...(dataset === null ? {} : { dataset }),
      reason,
      findings,
    }));
  }

  /** The acceptances that accepted nothing, as they were typed. */
  get unused(): readonly string[] {
    return this.#acceptances.filter((one) => !this.#findings.has(one)).map(yearTarget);
  }
}

/** The text of `--accept` for far years: `far-years:ggr:1900-1930`. */
export const yearTarget = ({ dataset, years }: Omit<YearAcceptance, 'reason'>): string =>
  [FAR_YEARS, ...(dataset === null ? [] : [dataset]), ...(years === null ? [] : [spanText(years)])].join(':');

const spanText = ({ first, last }: YearSpan): string => (first === last ? `${first}` : `${first}-${last}`);
