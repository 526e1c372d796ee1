// Parses the pairs `--accept RULE[:DATASET[:COUNTRY or YEARS]] --reason TEXT` of the command line.

import { DATASET_NAMES, type DatasetName, isDatasetName } from '../../../src/catalog/datasets.ts';
import { UsageError } from '../../../src/terminal/usageError.ts';
import { FAR_YEARS, type YearAcceptance, type YearSpan } from '../../checks/acceptedYears.ts';
import { type Acceptance, RULES, type Rule } from '../../guards/finding.ts';
import { didYouMean } from '../../messages/spelling.ts';
import { CURRENT_DAMAGED } from '../../store/currentDamage.ts';

export interface Acceptances {
  /** The findings of guards that a person accepts. */
  readonly findings: readonly Acceptance[];
  /** The years far from all others that a person accepts. */
  readonly years: readonly YearAcceptance[];
  /** The reason for publishing although the current snapshot is damaged; null when nobody gave one. */
  readonly damagedCurrentReason: string | null;
}

/**
 * Pairs the first `--accept` with the first `--reason`, and so on.
 *
 * @throws {UsageError} for an unknown rule or dataset, for a rule without its own reason, for a reason without words, and
 *   for a rule that is given twice.
 */
export function parseAcceptances(accept: readonly string[], reasons: readonly string[]): Acceptances {
  if (reasons.length > accept.length)
    throw new UsageError('--reason belongs to an --accept: --accept RULE --reason TEXT');
  const findings: Acceptance[] = [];
  const years: YearAcceptance[] = [];
  let damagedCurrentReason: string | null = null;
  for (const [i, text] of accept.entries()) {
    const reason = expectReason(text, reasons[i]);
    if (accept.indexOf(text) < i) throw new UsageError(`--accept ${text} is given twice; keep one of them`);
    const parts = partsOf(text);
    if (parts.rule === FAR_YEARS) {
      const dataset = datasetIn(text, parts);
      years.push({ dataset, years: parts.rest === undefined ? null : yearsIn(text, parts.rest), reason });
    } else if (parts.rule !== CURRENT_DAMAGED) findings.push(acceptanceOf(text, parts, reason));
    else if (text === CURRENT_DAMAGED) damagedCurrentReason = reason;
    else
      throw new UsageError(
        `--accept ${text}: ${CURRENT_DAMAGED} is about all datasets; leave the colon and the rest out`,
      );
  }
  return { findings, years, damagedCurrentReason };
}

function expectReason(text: string, given = ''): string {
  const reason = given.trim();
  if (reason === '')
    throw new UsageError(`--accept ${text} needs a reason: --accept ${text} --reason "why it is right"`);
  if (!SAYS_SOMETHING.test(reason))
    throw new UsageError(
      `the reason "${reason}" of --accept ${text} says nothing; write why the change is right`,
    );
  return reason;
}

/** A letter or a digit. The `…` of a proposed command has none, and neither has a full stop. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** The parts of `RULE[:DATASET[:REST]]`. */
interface Parts {
  readonly rule: string;
  readonly dataset: string | undefined;
  readonly rest: string | undefined;
}

function partsOf(text: string): Parts {
  const [, rule = '', dataset, rest] = /^([^:]*)(?::([^:]*)(?::(.*))?)?$/s.exec(text) ?? [];
  return { rule, dataset, rest };
}

function acceptanceOf(text: string, parts: Parts, reason: string): Acceptance {
  const { rule, rest: country } = parts;
  if (!isRule(rule))
    throw new UsageError(
      `--accept ${text}: there is no rule "${rule}"${hint(rule, [...RULES, FAR_YEARS, CURRENT_DAMAGED])}`,
    );
  const dataset = datasetIn(text, parts);
  if (country?.trim() === '')
    throw new UsageError(
      `--accept ${text} names no country; write it as the data does, or leave out the colon`,
    );
  const place = country === undefined ? {} : { country: country.trim() };
  return { rule, dataset, ...place, reason };
}

/** The dataset of an acceptance; null when it applies to all datasets. */
function datasetIn(text: string, { dataset }: Parts): DatasetName | null {
  if (dataset === undefined || isDatasetName(dataset)) return dataset ?? null;
  throw new UsageError(`--accept ${text}: there is no dataset "${dataset}"${hint(dataset, DATASET_NAMES)}`);
}

/** @param years `1824` or `1900-1930` */
function yearsIn(text: string, years: string): YearSpan {
  const [, first, last = first] = /^(\d{4})(?:-(\d{4}))?$/.exec(years.trim()) ?? [];
  if (first === undefined || Number(first) > Number(last))
    throw new UsageError(
      `--accept ${text} names no year; write one, such as 1930, or a span, such as 1900-1930`,
    );
  return { first: Number(first), last: Number(last) };
}

const isRule = (text: string): text is Rule => (RULES as readonly string[]).includes(text);

const hint = (text: string, known: readonly string[]) =>
  didYouMean(text, known) || `; there are: ${known.join(', ')}`;
