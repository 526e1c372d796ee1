// Prints the findings of guards for people: refusals with the option that accepts each, warnings, accepted findings.

import { printable } from '../../../src/printable.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import type { GuardFinding } from '../../guards/finding.ts';
import { counted } from '../../messages/numbers.ts';
import type { DamageFinding } from '../publishResult.ts';

/** A line for each finding, wrapped to `width`, in up to three blocks; '' when there is none. */
export function printedFindings(findings: readonly Finding[], width?: number): string {
  return BLOCKS.map(({ heading, of, line }) => {
    const some = findings.filter(of);
    const lines = some.map((finding) =>
      wrapped(
        `${finding.dataset ?? 'current'}: ${printable(`${finding.message}${line(finding)}`)}`,
        '  ',
        '    ',
        width,
      ),
    );
    return some.length === 0 ? '' : `${counted(some.length, ...heading)}\n${lines.join('')}`;
  })
    .filter((block) => block !== '')
    .join('\n');
}

/** The findings of guards between two published snapshots, without the options that accept them. */
export function printedWhatGuardsSay(findings: readonly GuardFinding[], width?: number): string {
  if (findings.length === 0) return '';
  const lines = findings.map(({ rule, severity, dataset, message }) =>
    wrapped(
      `${severity === 'refuse' ? 'refuses' : 'warns'} (${rule}) ${dataset}: ${printable(message)}`,
      '  ',
      '    ',
      width,
    ),
  );
  return `guards\n${lines.join('')}`;
}

type Finding = GuardFinding | DamageFinding;

interface Block {
  readonly heading: readonly [one: string, many: string];
  readonly of: (finding: Finding) => boolean;
  /** The text after the message. */
  readonly line: (finding: Finding) => string;
}

const BLOCKS: readonly Block[] = [
  {
    heading: ['refusal by a guard', 'refusals by guards'],
    of: ({ severity, accepted }) => severity === 'refuse' && accepted === null,
    line: ({ accept }) => `. If that is right: ${accept}`,
  },
  {
    heading: ['warning by a guard', 'warnings by guards'],
    of: ({ severity, accepted }) => severity === 'warn' && accepted === null,
    line: ({ accept }) => ` (${accept.replace(' --reason "…"', '')})`,
  },
  {
    heading: ['finding accepted', 'findings accepted'],
    of: ({ accepted }) => accepted !== null,
    line: ({ rule, accepted }) => `. Accepted as ${rule}: ${accepted}`,
  },
];
