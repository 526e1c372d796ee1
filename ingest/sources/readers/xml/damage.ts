// The error for XML that is damaged, and the remedy that most of them share.

import { UnreadableError } from '../raw.ts';

export const RESAVE = 'open it in a spreadsheet program and save it again';

/** `place` is the part, sheet or cell; `how` completes "is damaged". */
export const damagedXml = (place: string, how: string) =>
  new UnreadableError(`${place}: is damaged (${how}): ${RESAVE} as .xlsx`);
