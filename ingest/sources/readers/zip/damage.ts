// Makes the errors about damaged zip files.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { DAMAGED } from '../xml/damage.ts';

/** The error for a damaged zip file. The message has `how` in brackets after "is damaged". */
export const damaged = (place: Place, damage = 'its directory cannot be read') =>
  new UnreadableError({ place, problem: `is damaged (${damage})`, remedy: COPY_AGAIN, kind: DAMAGED });

export const COPY_AGAIN = 'copy it again from where it came from, or save it again as .xlsx';
