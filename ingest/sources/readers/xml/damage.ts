// The error for XML that is damaged, and the remedy that most of them share.

import type { Place } from '../../../messages/place.ts';
import { UnreadableError } from '../raw.ts';

export const RESAVE = 'open it in a spreadsheet program and save it again';

/** The heading of all errors of damaged files. */
export const DAMAGED = 'is damaged';

/** `place` is the part, sheet or cell; `how` completes "is damaged". */
export const damagedXml = (place: Place, how: string) =>
  new UnreadableError({ place, problem: `is damaged (${how})`, remedy: `${RESAVE} as .xlsx`, kind: DAMAGED });
