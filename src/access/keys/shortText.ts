// Checks the labels, names and notes that people type.

import { printable } from '../../text/printable.ts';
import { containsKey } from './keyText.ts';

const MAX_CHARACTERS = 100;

/** The text as it is stored, trimmed and in NFC, or the problem with it. */
export function parseShortText(
  typed: string,
  kind: 'label' | 'name' | 'note' = 'label',
): { readonly text: string } | { readonly problem: string } {
  const text = typed.normalize('NFC').trim();
  if (text === '') return { problem: MISSING_PROBLEMS[kind] };
  // Lists and pages would have to escape control characters.
  if (printable(text) !== text)
    return { problem: `a ${kind} is one line of text, without control characters` };
  if ([...text].length > MAX_CHARACTERS)
    return { problem: `a ${kind} has at most ${MAX_CHARACTERS} characters` };
  if (containsKey(text))
    return { problem: `a ${kind} must not hold a key: everybody in the team can read it` };
  return { text };
}

const MISSING_PROBLEMS = {
  label: 'a label is needed: say who or what the key is for',
  name: 'a name is needed: say who signs in',
  note: 'a note is empty or one line of text',
} as const;
