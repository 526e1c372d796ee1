// The error for XML that is damaged, and the remedy that most of them share.

import type { Place } from '../../../messages/place.ts';
import { UnreadableError } from '../raw.ts';

export const RESAVE = 'open it in a spreadsheet program and save it again';

/** The heading of all errors of damaged files. */
export const DAMAGED = 'is damaged';

/** `place` is the part, sheet or cell; `how` completes "is damaged". */
export const damagedXml = (place: Place, how: string) =>
  new UnreadableError({ place, problem: `is damaged (${how})`, remedy: `${RESAVE} as .xlsx`, kind: DAMAGED });

/** The error for a number that is larger than any double, or nearer to 0 than any double but 0. */
export const beyondDoubles = (place: Place, written: string) =>
  new UnreadableError({
    place,
    problem: `holds "${shortened(written)}", a number that spreadsheet programs cannot hold`,
    remedy: 'correct the cell',
    kind: 'a number that spreadsheet programs cannot hold',
  });

/** A text as messages quote it: whole, unless it is long. */
export const shortened = (text: string): string =>
  text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;

/** In characters: the longest number that programs write has 24. */
const LONGEST_QUOTED = 30;
