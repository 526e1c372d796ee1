// What is said of a workbook whose XML is not what it must be.

import { UnreadableError } from '../raw.ts';

export const RESAVE = 'open it in a spreadsheet program and save it again';

/** `place` is the part, sheet or cell; `how` completes "is damaged". */
export const damagedXml = (place: string, how: string) =>
  new UnreadableError(`${place}: is damaged (${how}): ${RESAVE} as .xlsx`);
