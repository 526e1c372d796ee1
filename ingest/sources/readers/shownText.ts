// Tells from the text around the digits of a number what a person takes it for: a negative number, or 0.

import { CURRENCY_WORD } from '../../messages/statedUnits.ts';

/** A text without spaces, percent signs and currencies. */
export const bare = (text: string): string =>
  text.replace(CURRENCY_WORD, '').replace(/[\s\p{Sc}%‰]|kr\.?|zł|Kč|Ft|Fr\.?|Rs\.?|RM|Rp/gu, '');

/** Whether these bare texts mark the number between them as negative: with a minus, parentheses or an arrow down. */
export const isNegative = (before: string, behind: string): boolean =>
  /^[-−–—‐‑‒﹣－▼↓]\(?$/.test(before) ||
  /^[-−–—‐‑‒﹣－]$/.test(behind) ||
  (/^\(-?$/.test(before) && behind.startsWith(')'));

/** Whether the bare text before a number makes it a bound or an estimate: `<5`, `~500`. */
export const isInexact = (before: string): boolean => /^[<>≤≥≦≧~≈±]/.test(before);

/** Whether a text without digits stands for 0: a dash, alone or beside a currency. */
export const standsForZero = (text: string): boolean => /^(?:[-−–—‐‑‒―_]*|nil|zero|none)$/i.test(bare(text));
