// Numbers of rows in words.

import { grouped } from '../model/format.ts';

/** A text such as `412 rows`. */
export const rowsOf = (count: number): string => `${grouped(count)} ${count === 1 ? 'row' : 'rows'}`;
