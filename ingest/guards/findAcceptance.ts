// Finds the acceptance of a person that accepts a finding.

import { type Acceptance, type GuardFinding, RULES, type Rule } from './finding.ts';

type Target = Pick<GuardFinding, 'rules' | 'dataset' | 'country'>;

/** All rules that object, in the order of `RULES`. An acceptance may name any of them. */
export const objectingRules = ({
  rule,
  otherRules = [],
}: {
  readonly rule: Rule;
  readonly otherRules?: readonly Rule[];
}) => RULES.filter((one) => one === rule || otherRules.includes(one));

/** The acceptance that accepts a finding, the narrowest of those that fit; undefined when none fits. */
export function acceptanceOf(
  { rules, dataset, country }: Target,
  acceptances: readonly Acceptance[],
): Acceptance | undefined {
  const fitting = acceptances.filter(
    (one) =>
      rules.includes(one.rule) &&
      (one.dataset === null || one.dataset === dataset) &&
      (one.country === undefined || one.country === country),
  );
  const width = (one: Acceptance) => Number(one.dataset === null) + Number(one.country === undefined);
  return fitting.toSorted((a, b) => width(a) - width(b))[0];
}

/** The narrowest option that accepts a finding: `--accept vanished:ggr:Malta --reason "…"`. */
export const acceptOption = ({ rules: [rule], dataset, country }: Target): string =>
  `--accept ${shellWord([rule, dataset, ...(country === null ? [] : [country])].join(':'))} --reason "…"`;

/** The text, in quotes if a shell would not read it as one word. */
const shellWord = (text: string) => (/^[\w:-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`);
