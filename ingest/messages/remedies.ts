// Words remedies that reading a file, checking its rows and running a recipe have in common.

/** The remedy for formulas whose values were never calculated, or are old. */
export const CALCULATE = 'open the file in a spreadsheet program, let it calculate, save it again';
