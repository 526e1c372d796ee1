// Checks the labels, names and notes that people type.

import { printable } from '../../text/printable.ts';
import { holdsKey } from './keyText.ts';

const MAX_CHARACTERS = 100;

/** The label as it is stored, trimmed and in NFC, or the problem with it. */
export function readLabel(
  text: string,
  what: 'label' | 'name' | 'note' = 'label',
): { readonly label: string } | { readonly problem: string } {
  const label = text.normalize('NFC').trim();
  if (label === '') return { problem: NEEDED[what] };
  // Lists and pages would have to escape control characters.
  if (printable(label) !== label)
    return { problem: `a ${what} is one line of text, without control characters` };
  if ([...label].length > MAX_CHARACTERS)
    return { problem: `a ${what} has at most ${MAX_CHARACTERS} characters` };
  if (holdsKey(label)) return { problem: `a ${what} must not hold a key: everybody in the team can read it` };
  return { label };
}

const NEEDED = {
  label: 'a label is needed: say who or what the key is for',
  name: 'a name is needed: say who signs in',
  note: 'a note is empty or one line of text',
} as const;
