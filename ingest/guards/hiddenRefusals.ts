// Finds the refusals that appear only once others are accepted, so that a person can accept all of them in one run.

import { count, counted } from '../messages/numbers.ts';
import type { Acceptance, FindingInLines, HiddenRefusal } from './finding.ts';

/** The most rounds of accepting everything. Each round may bring up refusals that the one before hid. */
const MOST_ROUNDS = 5;

/**
 * The findings, in which each refusal lists the refusals that it hides. A hidden refusal is listed with the refusals of its
 * country. If there are none, it is listed with the first refusal about several countries, or else with the first refusal
 * of all.
 *
 * @param findingsWith Gives the findings of the same month with other acceptances.
 */
export function withHidden(
  findings: readonly FindingInLines[],
  acceptances: readonly Acceptance[],
  findingsWith: (acceptances: readonly Acceptance[]) => readonly FindingInLines[],
): readonly FindingInLines[] {
  const refused = findings.filter(isRefused);
  const hidden = hiddenBehind(refused, acceptances, findingsWith);
  if (hidden.length === 0) return findings;
  const several = refused.find(({ country }) => country === null) ?? refused[0];
  const hiders = ({ country }: FindingInLines): readonly (FindingInLines | undefined)[] => {
    const own = country === null ? [] : refused.filter((one) => one.country === country);
    return own.length > 0 ? own : [several];
  };
  return findings.map((finding) => ({
    ...finding,
    hides: hidden
      .filter((one) => hiders(one).includes(finding))
      .map(({ dataset, message, accept }) => ({ dataset, message, accept })),
  }));
}

const isRefused = ({ severity, accepted }: FindingInLines): boolean =>
  severity === 'refuse' && accepted === null;

/** The refusals that remain, round by round, once all earlier ones are accepted. */
function hiddenBehind(
  refused: readonly FindingInLines[],
  acceptances: readonly Acceptance[],
  findingsWith: (acceptances: readonly Acceptance[]) => readonly FindingInLines[],
): readonly FindingInLines[] {
  const hidden: FindingInLines[] = [];
  const accepted = [...acceptances];
  let next = refused;
  for (let round = 0; round < MOST_ROUNDS && next.length > 0; round++) {
    accepted.push(...next.map(acceptanceFor));
    next = findingsWith(accepted).filter(isRefused);
    hidden.push(...next);
  }
  return hidden;
}

const acceptanceFor = ({ rule, dataset, country }: FindingInLines): Acceptance => ({
  rule,
  dataset,
  country,
  reason: 'to find what it hides',
});

/** The most hidden refusals that a text names. */
const MOST_NAMED = 3;

/** The hidden refusals as sentences that follow the option of the refusal that hides them; `''` when it hides none. */
export function hiddenText(hides: readonly HiddenRefusal[]): string {
  if (hides.length === 0) return '';
  const named = hides
    .slice(0, MOST_NAMED)
    .map(({ dataset, message, accept }) => `${dataset}: ${message} (${accept})`);
  const more = hides.length > MOST_NAMED ? `; and ${count(hides.length - MOST_NAMED)} more` : '';
  return `. Behind it ${hides.length === 1 ? 'is' : 'are'} ${counted(hides.length, 'more refusal')}: ${named.join('; ')}${more}`;
}
