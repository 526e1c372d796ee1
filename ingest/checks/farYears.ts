// Reports years that are far from all other years of their dataset, such as 1824 among 2003 to 2030: a digit is mistyped.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { counted } from '../messages/numbers.ts';
import { type YearSpan, yearTarget } from './acceptedYears.ts';
import type { YearCheckInput } from './checkInput.ts';
import { placeOfYearAt, type UsedYear, yearPlaces } from './stagedPlaces.ts';

/**
 * A year at least this many years away from the others is an error, until a person accepts it. Few datasets have such a
 * gap.
 */
const WRONG_DISTANCE_YEARS = 50;

/** A year at least this many years away from the others causes a warning. */
const ODD_DISTANCE_YEARS = 15;

/** The fewest years of the main part, with which far years are compared. Fewer do not show which years the dataset has. */
const FEWEST_OTHERS = 3;

/**
 * Far years with more than this share of the dataset's rows are hardly mistyped. They cause a warning instead of an error,
 * or nothing instead of a warning.
 */
const FEW_SHARE = 0.05;

/** A year far from all others of its dataset. */
export interface FarYear extends UsedYear {
  /** The first and the last of the other years. */
  readonly first: number;
  readonly last: number;
  /** Whether the year is so far and so rare that it is probably wrong. */
  readonly isWrong: boolean;
  /** The years that were probably meant, the likeliest first; empty when none of the others is written nearly alike. */
  readonly likelyYears: readonly number[];
}

/** The years far from all others. `years` are the years of a dataset in ascending order. */
export function farYears(years: readonly UsedYear[]): readonly FarYear[] {
  const { others, far: wrong } = splitAt(years, WRONG_DISTANCE_YEARS);
  const areFew = (some: readonly UsedYear[]): boolean => rowsIn(some) <= FEW_SHARE * rowsIn(years);
  const parts = splitAt(others, ODD_DISTANCE_YEARS);
  const { others: near, far: odd } = areFew(parts.far) ? parts : { others, far: [] };
  const reported = [
    ...wrong.map((year) => ({ ...year, isWrong: areFew(wrong) })),
    ...odd.map((year) => ({ ...year, isWrong: false })),
  ];
  const { year: first = 0 } = near[0] ?? {};
  const { year: last = 0 } = near.at(-1) ?? {};
  return reported
    .map((far) => ({ ...far, first, last, likelyYears: likelyYearsFor(far.year, near) }))
    .sort((a, b) => a.year - b.year);
}

interface Split {
  /** The part of the years that has more than half of the rows. Its successive years are less than `gap` apart. */
  readonly others: readonly UsedYear[];
  readonly far: readonly UsedYear[];
}

/** Splits years where they are `gap` or more apart. If no part has more than half of the rows, no year is far. */
function splitAt(years: readonly UsedYear[], gap: number): Split {
  const parts = partsAt(years, gap);
  const others = parts.find((part) => part.length >= FEWEST_OTHERS && 2 * rowsIn(part) > rowsIn(years));
  if (others === undefined) return { others: years, far: [] };
  return { others, far: parts.filter((part) => part !== others).flat() };
}

/** Years in ascending order, divided where they are `gap` or more apart. */
function partsAt(years: readonly UsedYear[], gap: number): readonly (readonly [UsedYear, ...UsedYear[]])[] {
  const parts: [UsedYear, ...UsedYear[]][] = [];
  for (const [i, year] of years.entries()) {
    const before = years[i - 1];
    if (before === undefined || year.year - before.year >= gap) parts.push([year]);
    else parts.at(-1)?.push(year);
  }
  return parts;
}

const rowsIn = (years: readonly UsedYear[]): number => years.reduce((sum, { rows }) => sum + rows, 0);

/** The mistakes by which a year is mistyped, the likeliest first. */
const TYPING_ERRORS: readonly ((year: string, meant: string) => boolean)[] = [
  // Two digits beside each other are exchanged: 2204 for 2024.
  (year, meant) => [0, 1, 2].some((at) => exchangedAt(year, at) === meant),
  // The century is wrong: 1824 for 2024.
  (year, meant) => year.slice(2) === meant.slice(2),
  // One digit is wrong: 2083 for 2023.
  (year, meant) => [...year].filter((digit, at) => digit !== meant[at]).length === 1,
];

const exchangedAt = (year: string, at: number): string =>
  `${year.slice(0, at)}${year[at + 1]}${year[at]}${year.slice(at + 2)}`;

/** The years that were probably meant: for each kind of mistake, the nearest of the other years. */
function likelyYearsFor(year: number, others: readonly UsedYear[]): readonly number[] {
  const nearestFirst = others
    .map((one) => one.year)
    .sort((one, other) => Math.abs(one - year) - Math.abs(other - year));
  const found = TYPING_ERRORS.map((slip) => nearestFirst.find((other) => slip(String(year), String(other))));
  return [...new Set(found.filter((one) => one !== undefined))];
}

/**
 * Reports each far year once for each source: a year that a person accepts as a note, a year that is probably wrong as an
 * error, any other year as a warning. A wrong year is only a warning if the current snapshot has it, because it was
 * published before, or if its rows are carried, because no source has it.
 */
export async function reportFarYears(
  { staging, publishedValues, carried, acceptedYears, problems }: YearCheckInput,
  dataset: DatasetName,
  far: readonly FarYear[],
): Promise<void> {
  const byYear = new Map(far.map((one) => [one.year, one]));
  const isCarried = carried.has(dataset);
  const isError = ({ year, isWrong }: FarYear) =>
    isWrong && !isCarried && publishedValues?.hasYear(dataset, year) !== true;
  const spans = spansOf(far.filter(isError));
  for (const { year, rows, place } of await yearPlaces(staging, dataset, [...byYear.keys()])) {
    const farYear = byYear.get(year);
    if (farYear === undefined) continue;
    const { first, last, likelyYears } = farYear;
    const distance = year < first ? first - year : year - last;
    const problem = `year is ${year}${rows > 1 ? ` in ${counted(rows, 'row')}` : ''}, ${distance} years ${year < first ? 'before' : 'after'} the others (${first} to ${last})`;
    const acceptance = acceptedYears.of(dataset, year);
    if (acceptance !== undefined) {
      acceptedYears.record(acceptance, dataset, problem);
      problems.add('note', placeOfYearAt(staging, place), {
        problem: `${problem}; accepted: "${acceptance.reason}"`,
        remedy: null,
        kind: 'a year far from all others that was accepted',
      });
      continue;
    }
    problems.add(isError(farYear) ? 'error' : 'warning', placeOfYearAt(staging, place), {
      problem,
      remedy: isCarried
        ? `publish ${dataset} anew instead of --carry ${dataset}`
        : remedyFor(likelyYears, isError(farYear) ? optionFor(dataset, spans, year) : null),
      kind: 'a year is far from all others',
    });
  }
}

/** The spans of years in ascending order, none of them `WRONG_DISTANCE_YEARS` or more from the next. */
function spansOf(years: readonly UsedYear[]): readonly YearSpan[] {
  return partsAt(years, WRONG_DISTANCE_YEARS).map((part) => ({
    first: part[0].year,
    last: (part.at(-1) ?? part[0]).year,
  }));
}

/** The option that accepts a far year and those near it, as the rest of a sentence: `1824 is right: --accept …`. */
function optionFor(dataset: DatasetName, spans: readonly YearSpan[], year: number): string {
  const years = spans.find(({ first, last }) => year >= first && year <= last) ?? { first: year, last: year };
  const are = years.first === years.last ? `${year} is` : `${years.first} to ${years.last} are`;
  return `${are} right: --accept ${yearTarget({ dataset, years })} --reason "…"`;
}

/** @param option The option that accepts the year; null when nobody needs to accept it. */
function remedyFor(meant: readonly number[], option: string | null): string {
  if (meant.length > 0) return `did you mean ${meant.join(' or ')}?${option === null ? '' : ` If ${option}`}`;
  return `correct the year if it is mistyped${option === null ? '' : `; if ${option}`}`;
}
