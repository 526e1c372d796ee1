// Recognises years that are written in a form that is not read, such as `FY2022`, and gives the remedies.

import type { FileFormat } from '../messages/fileFormats.ts';

/** A form of years that is not read. All texts of a form have the same remedy. */
export interface UnsupportedYearForm {
  readonly pattern: RegExp;
  /** The words for a text of this form: `a financial year`. */
  readonly description: string;
  readonly remedy: string;
  /** File format → remedy, for the formats that need another remedy. */
  readonly remedies?: Partial<Readonly<Record<FileFormat, string>>>;
  /** Whether headings have this form too. */
  readonly isHeading?: true;
  /** Whether the text can only mean the calendar year in it. That is so for `year 2022`, but not for `FY 2022`. */
  readonly meansThatYear?: true;
}

/** The unsupported form in which a text names a year; undefined for any other text. */
export function unsupportedYearForm(text: string): UnsupportedYearForm | undefined {
  const trimmed = text.trim();
  // A pattern would take minutes for a text with thousands of successive spaces.
  return trimmed.length > LONGEST_FORM
    ? undefined
    : UNSUPPORTED_FORMS.find(({ pattern }) => pattern.test(trimmed));
}

const LONGEST_FORM = 100;

/** The remedy for a cell that holds a year and whose number format shows it in this form. */
export const inPlainFormat = ({ remedy }: UnsupportedYearForm): string => `${PLAIN_FORMAT}, and ${remedy}`;

export const PLAIN_FORMAT = 'give the cell the number format 0';

/**
 * The last two digits of successive years, such as `04/05`. Because of them, `2004/05` is a financial year, not May 2004.
 */
const CONSECUTIVE = Array.from({ length: 12 }, (_, i) =>
  [i, i + 1].map((year) => String(year).padStart(2, '0')).join('\\s*[/–-]\\s*'),
).join('|');

const UNSUPPORTED_FORMS: readonly UnsupportedYearForm[] = [
  {
    pattern: /^(?:FY|F\/Y|fiscal(?: year)?|financial year)[\s'’.-]*(?:\d{2}|\d{4})(?:\s*[/–-]\s*\d{2,4})?$/i,
    description: 'a financial year',
    remedy: 'write the calendar year that the dataset counts it in, such as 2022',
    isHeading: true,
  },
  {
    pattern: new RegExp(`^(?!\\d\\d(?:${CONSECUTIVE})$)\\d{4}\\s*[/–-]\\s*(?:0[1-9]|1[0-2])$`),
    description: 'a month',
    remedy: 'figures are annual: add the months up',
    isHeading: true,
  },
  {
    pattern: /^\d{4}\s*[/–-]\s*(?:\d{2}|\d{4})$/,
    description: 'a financial year',
    remedy: 'write the calendar year that the dataset counts it in, such as 2022',
    isHeading: true,
  },
  {
    pattern:
      /^\d{4}\s*(?:[([]?(?:e|est\.?|estimated?|f|fc|fcst|forecast|p|prov\.?|provisional|prelim\.?|a|actual|b|budget|r|rev\.?|revised)[)\]]?|\([a-z]\)|\*+)$/i,
    description: 'a year with a mark behind it',
    remedy: 'write the four digits alone, and put what the mark says into the column temporal',
    isHeading: true,
  },
  {
    pattern: /^(?:CY|year|jahr|año|année|anno)\s*\d{4}$/i,
    description: 'a year with a word before it',
    remedy: 'write the four digits alone',
    isHeading: true,
    meansThatYear: true,
  },
  {
    pattern: /^[xy][._ ]?\d{4}$/i,
    description: 'a year with a letter before it',
    remedy: 'write the four digits alone',
    isHeading: true,
    meansThatYear: true,
  },
  {
    pattern: /^\d{4}-\d\d-\d\d|^\d{1,2}[./-]\d{1,2}[./-]\d{4}$|^\d{4}[./]\d{1,2}[./]\d{1,2}$/,
    description: 'a date',
    remedy: 'write the year alone, or give the cells the number format yyyy',
    remedies: { csv: 'write the year alone', parquet: 'write the year alone, as a whole number' },
    isHeading: true,
  },
  {
    pattern: /^(?:\d{4}\s*[-/ ]?\s*[QH][1-4]|[QH][1-4]\s*[-/ ]?\s*\d{4}|\p{L}{3,9}\.?[-/ ]\d{2,4})$/iu,
    description: 'a part of a year',
    remedy: 'figures are annual: add the parts up',
    isHeading: true,
  },
  {
    pattern: /^['’]?\d{2}$/,
    description: 'a year of two digits',
    remedy: 'write four digits, such as 2022',
  },
];
