// Recognises forms of numbers that people write and that are not read, and says what to type instead.

import type { Diagnostic } from '../messages/fault.ts';

/** Problems of one kind share their remedy, so the remedy explains itself by an example. */
interface Slip {
  readonly pattern: RegExp;
  /** What the text is: `a negative number in parentheses`. */
  readonly what: string;
  readonly remedy: string;
  /** Whether `--numbers` reads it. */
  readonly isStyle?: true;
}

/** Why a text in a column of numbers is none, by the way it is written; null for any other text. */
export function numberSlip(name: string, text: string, numbersOption: string): Diagnostic | null {
  const trimmed = text.trim();
  const slip = NUMBER_SLIPS.find(({ pattern }) => pattern.test(trimmed));
  if (slip === undefined) return null;
  return {
    problem: `${name} is "${trimmed}", ${slip.what}`,
    remedy: slip.isStyle ? `${slip.remedy}, or say ${numbersOption}` : slip.remedy,
    kind: `${name} is ${slip.what}`,
  };
}

/** A number with or without separators: `1234`, `1,234.5`, `1 234`. */
const NUMBER = String.raw`\d[\d.,'’\u00a0\u202f ]*`;

const CURRENCY = String.raw`(?:[A-Z]{3}|(?:US|A|C|NZ|HK|R)?\$|[€£¥₹₺₽₩₪₫฿₦₱]|kr\.?|zł|Kč|R)`;

const NUMBER_SLIPS: readonly Slip[] = [
  {
    pattern: new RegExp(`^\\(\\s*${NUMBER}\\)$`),
    what: 'a negative number in parentheses, or a footnote',
    remedy: 'write -123 for (123), and nothing for a footnote',
    isStyle: true,
  },
  {
    pattern: new RegExp(`^${NUMBER}[-\u2212]$`),
    what: 'a number with its minus behind it',
    remedy: 'write -123 for 123-',
    isStyle: true,
  },
  {
    pattern: new RegExp(
      `^[-\u2212(]?\\s*${CURRENCY}\\s*[-\u2212(]?${NUMBER}\\)?$|^[-\u2212(]?${NUMBER}${CURRENCY}\\)?$`,
      'u',
    ),
    what: 'a number with its currency',
    remedy: 'write 1234 for £1,234: the currency stands in fx',
  },
  {
    pattern: /^-?\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?$/,
    what: 'a number in lakhs and crores',
    remedy: 'write 1234567 for 12,34,567',
  },
  {
    pattern: new RegExp(
      `^[-\u2212]?${NUMBER}(?:k|m|mn|mm|mio\\.?|bn|b|tn|mrd\\.?|tsd\\.?|thousand|million|billion|lakh|crore)s?$`,
      'i',
    ),
    what: 'a number with its unit',
    remedy: 'write it in full, 1200000 for 1.2m',
  },
  {
    pattern: new RegExp(
      `^[-\u2212]?${NUMBER}(?:[*†‡§#]+|\\(?\\[?(?:[a-z]|\\d)\\]?\\)|\\[\\w{1,2}\\]|[peri])$`,
      'i',
    ),
    what: 'a number with a mark behind it',
    remedy: 'write 1234 for 1,234*, and the note in a sheet named Notes',
  },
  {
    pattern: new RegExp(`^(?:~|≈|±|c\\.?|ca\\.?|circa|approx\\.?|about|est\\.?)\\s*${NUMBER}$`, 'i'),
    what: 'an approximate number',
    remedy: 'write 500 for ~500 if that is the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^(?:<|>|≤|≥|<=|>=|under|over|more than|less than)\\s*${NUMBER}$`, 'i'),
    what: 'a limit and no number',
    remedy: 'write the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^${NUMBER}\\s*(?:-|–|to)\\s*${NUMBER}$`, 'i'),
    what: 'a range and no number',
    remedy: 'write the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^\\+\\s*${NUMBER}$`),
    what: 'a number with a plus',
    remedy: 'write 123 for +123',
  },
  {
    pattern: new RegExp(`^[-\u2212]?${NUMBER}%$`),
    what: 'a percentage as text',
    remedy: 'write 3.5 for 3.5% where the unit is percent',
  },
  {
    pattern:
      /^[-\u2212]?[\d.,\uff0e\uff0c]*[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f][\p{Nd}.,\uff0e\uff0c]*$/u,
    what: 'a number in digits of another script',
    remedy: 'write it with the digits 0 to 9',
  },
];
