// Recognises the ways in which people write years that are not read, in cells and headings, and says what to type instead.

/** Problems that are one kind share their remedy, so it explains itself by an example. */
export interface YearSlip {
  readonly pattern: RegExp;
  /** What the text is: `a financial year`. */
  readonly what: string;
  readonly remedy: string;
  /** Whether a heading may be written so too. */
  readonly isHeading?: true;
  /** Whether it can only mean the year in it. */
  readonly isThatYear?: true;
}

/** How a text that is no year is written; undefined for any other text. */
export const yearSlip = (text: string): YearSlip | undefined =>
  YEAR_SLIPS.find(({ pattern }) => pattern.test(text.trim()));

/** The remedy for a cell that holds a year, and whose number format shows it so. */
export const inPlainFormat = ({ remedy }: YearSlip): string => `${PLAIN_FORMAT}, and ${remedy}`;

export const PLAIN_FORMAT = 'give the cell the number format 0';

/** The placeholder for the number in the text of a number format: `FY\0`, `\0E`. */
export const NUMBER = '\0';

/** Whether a number format that shows this makes another thing than that year of a year: `2022E`, `FY2022`, `2022/23`. */
export function marksYear(form: string): boolean {
  const isYear = form.split(NUMBER).length === 2 && form.trim() !== NUMBER;
  const slip = isYear ? yearSlip(form.replace(NUMBER, '2022')) : undefined;
  return slip !== undefined && slip.isThatYear !== true;
}

const YEAR_SLIPS: readonly YearSlip[] = [
  {
    pattern: /^(?:FY|F\/Y|fiscal(?: year)?|financial year)[\s'’.-]*(?:\d{2}|\d{4})(?:\s*[/–-]\s*\d{2,4})?$/i,
    what: 'a financial year',
    remedy: 'write the calendar year that the dataset counts it in, such as 2022',
    isHeading: true,
  },
  {
    pattern: /^\d{4}\s*[/–-]\s*(?:\d{2}|\d{4})$/,
    what: 'a financial year',
    remedy: 'write the calendar year that the dataset counts it in, such as 2022',
    isHeading: true,
  },
  {
    pattern: /^\d{4}\s*(?:e|est\.?|f|fc|forecast|p|prov\.?|a|actual|b|budget|r|rev\.?|\([a-z]\)|\*+)$/i,
    what: 'a year with a mark behind it',
    remedy: 'write the four digits alone, and what the mark says in temporal',
    isHeading: true,
  },
  {
    pattern: /^(?:CY|year|jahr|año|année|anno)\s*\d{4}$/i,
    what: 'a year with a word before it',
    remedy: 'write the four digits alone',
    isHeading: true,
    isThatYear: true,
  },
  {
    pattern: /^\d{4}-\d\d-\d\d|^\d{1,2}[./-]\d{1,2}[./-]\d{4}$|^\d{4}[./]\d{1,2}[./]\d{1,2}$/,
    what: 'a date',
    remedy: 'write the year alone, or give the cells the number format yyyy',
    isHeading: true,
  },
  {
    pattern: /^(?:\d{4}\s*[-/ ]?\s*[QH][1-4]|[QH][1-4]\s*[-/ ]?\s*\d{4}|\p{L}{3,9}\.?[-/ ]\d{2,4})$/iu,
    what: 'a part of a year',
    remedy: 'figures are annual: add the parts up',
    isHeading: true,
  },
  {
    pattern: /^['’]?\d{2}$/,
    what: 'a year of two digits',
    remedy: 'write four digits, such as 2022',
  },
];
