// Recognises the numbers that programs write in place of the errors of Excel.

/**
 * The error of Excel that a number stands for; undefined for others. Programs that read cells through Excel get such
 * numbers.
 */
export const excelErrorOf = (value: number): string | undefined => EXCEL_ERRORS.get(value - FIRST_ERROR);

/** The number for `#NULL!`. */
const FIRST_ERROR = -2_146_826_288;

/** The errors by the difference between their numbers and `FIRST_ERROR`. */
const EXCEL_ERRORS: ReadonlyMap<number, string> = new Map([
  [0, '#NULL!'],
  [7, '#DIV/0!'],
  [15, '#VALUE!'],
  [23, '#REF!'],
  [29, '#NAME?'],
  [36, '#NUM!'],
  [42, '#N/A'],
]);
