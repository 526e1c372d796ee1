// Parses the pairs `--accept RULE[:DATASET[:COUNTRY]] --reason TEXT` of the command line.

import { DATASET_NAMES, isDatasetName } from '../../../src/catalog/datasets.ts';
import { UsageError } from '../../../src/terminal/usageError.ts';
import { type Acceptance, RULES, type Rule } from '../../guards/finding.ts';
import { didYouMean } from '../../messages/spelling.ts';
import { CURRENT_DAMAGED } from '../../store/currentDamage.ts';

export interface Acceptances {
  /** The findings of guards that a person accepts. */
  readonly ofGuards: readonly Acceptance[];
  /** The reason for publishing although the current snapshot is damaged; null when nobody gave one. */
  readonly damagedCurrent: string | null;
}

/**
 * Pairs the first `--accept` with the first `--reason`, and so on.
 *
 * @throws {UsageError} for an unknown rule or dataset, for a rule without its own reason, for a reason without words, and for a rule that is given twice.
 */
export function acceptances(accept: readonly string[], reasons: readonly string[]): Acceptances {
  const targets = new Set<string>();
  if (reasons.length > accept.length)
    throw new UsageError('--reason belongs to an --accept: --accept RULE --reason TEXT');
  let damagedCurrent: string | null = null;
  const ofGuards = accept.flatMap((text, i): Acceptance[] => {
    const reason = reasons[i]?.trim() ?? '';
    if (reason === '') {
      throw new UsageError(`--accept ${text} needs a reason: --accept ${text} --reason "why it is right"`);
    }
    if (!SAYS_SOMETHING.test(reason)) {
      throw new UsageError(
        `the reason "${reason}" of --accept ${text} says nothing; write why the change is right`,
      );
    }
    if (targets.has(text)) throw new UsageError(`--accept ${text} is given twice; keep one of them`);
    targets.add(text);
    if (text !== CURRENT_DAMAGED) return [acceptanceOf(text, reason)];
    damagedCurrent = reason;
    return [];
  });
  return { ofGuards, damagedCurrent };
}

/** A letter or a digit. The `…` of a proposed command has none, and neither has a full stop. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** @param text `RULE[:DATASET[:COUNTRY]]` */
function acceptanceOf(text: string, reason: string): Acceptance {
  if (text.startsWith(`${CURRENT_DAMAGED}:`))
    throw new UsageError(
      `--accept ${text}: ${CURRENT_DAMAGED} is about all datasets; leave the colon and the rest out`,
    );
  const [, rule = '', dataset, country] = /^([^:]*)(?::([^:]*)(?::(.*))?)?$/s.exec(text) ?? [];
  if (!isRule(rule))
    throw new UsageError(
      `--accept ${text}: there is no rule "${rule}"${hint(rule, [...RULES, CURRENT_DAMAGED])}`,
    );
  if (dataset !== undefined && !isDatasetName(dataset))
    throw new UsageError(`--accept ${text}: there is no dataset "${dataset}"${hint(dataset, DATASET_NAMES)}`);
  if (country?.trim() === '')
    throw new UsageError(
      `--accept ${text} names no country; write it as the data does, or leave out the colon`,
    );
  const place = country === undefined ? {} : { country: country.trim() };
  return { rule, dataset: dataset ?? null, ...place, reason };
}

const isRule = (text: string): text is Rule => (RULES as readonly string[]).includes(text);

const hint = (text: string, known: readonly string[]) =>
  didYouMean(text, known) || `; there are: ${known.join(', ')}`;
