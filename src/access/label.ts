// Reads the label a person gives to a key or an invite.

import { printable } from '../printable.ts';
import { holdsKey } from './keyForm.ts';

const LONGEST = 100;

/** The label as it is stored, trimmed and in NFC, or what is wrong with it. */
export function readLabel(text: string): { readonly label: string } | { readonly problem: string } {
  const label = text.normalize('NFC').trim();
  if (label === '') return { problem: 'a label is needed: say who or what the key is for' };
  // What would have to be shown as an escape in lists and pages is no part of a name.
  if (printable(label) !== label)
    return { problem: 'a label is one line of text, without control characters' };
  if ([...label].length > LONGEST) return { problem: `a label has at most ${LONGEST} characters` };
  if (holdsKey(label)) return { problem: 'a label must not hold a key: everybody in the team can read it' };
  return { label };
}
