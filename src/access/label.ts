// Reads the label a person gives to a key or an invite.

import { holdsKey } from './keyForm.ts';

const LONGEST = 100;

/** Characters that garble lists and pages: controls, line separators, changes of direction, lone surrogates. */
const GARBLING = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The label as it is stored, trimmed and in NFC, or what is wrong with it. */
export function readLabel(text: string): { readonly label: string } | { readonly problem: string } {
  const label = text.normalize('NFC').trim();
  if (label === '') return { problem: 'a label is needed: say who or what the key is for' };
  if (GARBLING.test(label)) return { problem: 'a label is one line of text, without control characters' };
  if ([...label].length > LONGEST) return { problem: `a label has at most ${LONGEST} characters` };
  if (holdsKey(label)) return { problem: 'a label must not hold a key: everybody in the team can read it' };
  return { label };
}
