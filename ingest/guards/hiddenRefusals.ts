// Finds the refusals that appear only once others are accepted, so that a person can accept all of them in one run.

import { count, counted } from '../messages/numbers.ts';
import { acceptanceOf } from './findAcceptance.ts';
import { type Acceptance, type FindingInLines, type HiddenRefusal, isRefused } from './finding.ts';

/**
 * The findings, in which each refusal lists the refusals that it hides. A hidden refusal is listed with the refusals of its
 * country. If there are none, it is listed with the first refusal about several countries, or else with the first refusal
 * of all.
 *
 * @param findingsIfAccepted Gives the findings of the same month if all refusals are accepted.
 */
export function withHiddenRefusals(
  findings: readonly FindingInLines[],
  findingsIfAccepted: () => readonly FindingInLines[],
): readonly FindingInLines[] {
  const refused = findings.filter(isRefused);
  if (refused.length === 0) return findings;
  const accepted = refused.map(acceptanceFor);
  const hidden = findingsIfAccepted().filter(
    (one) => isRefused(one) && acceptanceOf(one, accepted) === undefined,
  );
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

const acceptanceFor = ({ rule, dataset, country }: FindingInLines): Acceptance => ({
  rule,
  dataset,
  ...(country !== null && { country }),
  reason: 'to find what it hides',
});

const MOST_REFUSALS_NAMED = 3;

/** The hidden refusals as sentences that follow the option of the refusal that hides them; `''` when it hides none. */
export function hiddenRefusalsText(hides: readonly HiddenRefusal[]): string {
  if (hides.length === 0) return '';
  const named = hides
    .slice(0, MOST_REFUSALS_NAMED)
    .map(({ dataset, message, accept }) => `${dataset}: ${message} (${accept})`);
  const more =
    hides.length > MOST_REFUSALS_NAMED ? `; and ${count(hides.length - MOST_REFUSALS_NAMED)} more` : '';
  return `. Behind it ${hides.length === 1 ? 'is' : 'are'} ${counted(hides.length, 'more refusal')}: ${named.join('; ')}${more}`;
}
