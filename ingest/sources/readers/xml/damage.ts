// Makes the errors about damaged XML, and about numbers beyond the range of doubles.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';

export const RESAVE = 'open it in a spreadsheet program and save it again';

/** The kind of all errors about damaged files. */
export const DAMAGED = 'is damaged';

/** The error for something damaged that a spreadsheet program may be able to repair. */
export const damaged = (place: Place, problem: string) =>
  new UnreadableError({ place, problem, remedy: RESAVE, kind: DAMAGED });

/**
 * The error for damaged XML.
 *
 * @param place The place of the part, sheet or cell.
 * @param damage The damage in words, which the message has in brackets after "is damaged".
 */
export const damagedXml = (place: Place, damage: string) =>
  new UnreadableError({
    place,
    problem: `is damaged (${damage})`,
    remedy: `${RESAVE} as .xlsx`,
    kind: DAMAGED,
  });

/** The error for an element in a place where the format does not allow it. */
export const misplaced = (name: string, place: Place) =>
  damagedXml(place, `<${name}> has no place where it stands`);

/** The error for a number that is larger than any double, or so near to 0 that it would become 0. */
export const beyondDoubles = (place: Place, written: string) =>
  new UnreadableError({
    place,
    problem: `holds "${shortened(written)}", a number that spreadsheet programs cannot hold`,
    remedy: 'correct the cell',
    kind: 'a number that spreadsheet programs cannot hold',
  });

/** A text as messages quote it. A long text is cut. */
export const shortened = (text: string): string =>
  text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;

/** The most characters of a quoted text. The longest number that programs write has 24. */
const LONGEST_QUOTED = 30;
