// The texts of remedies that several stages share.

/** The remedy for formulas whose values were never calculated, or are old. */
export const CALCULATE_REMEDY = 'open the file in a spreadsheet program, let it calculate, save it again';
