// Recognises numbers in forms that are not read, and says what to type instead.

import type { Diagnostic } from '../../messages/fault.ts';
import { GROUP_MARKS, LONGEST_NUMBER } from './numberText.ts';

/** A form that is not read. One remedy stands for all cells of the form, so it explains itself by an example. */
interface UnsupportedNumberForm {
  readonly pattern: RegExp;
  /** The words for a text of this form: `a negative number in parentheses`. */
  readonly description: string;
  readonly remedy: string;
  readonly isReadWithOption?: true;
}

/**
 * The fault of a number in a form that is not read; null for any other text. `name` is the metric of its column.
 * `numbersOption` is the option that reads some of these forms, as people type it: `--numbers en`.
 */
export function unsupportedNumberForm(name: string, text: string, numbersOption: string): Diagnostic | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_NUMBER) return null;
  const form = UNSUPPORTED_FORMS.find(({ pattern }) => pattern.test(trimmed));
  if (form === undefined) return null;
  return {
    problem: `${name} is "${trimmed}", ${form.description}`,
    remedy: form.isReadWithOption ? `${form.remedy}, or use ${numbersOption}` : form.remedy,
    kind: `${name} is ${form.description}`,
  };
}

/** A number with or without separators: `1234`, `1,234.5`, `1 234`. */
const NUMBER = String.raw`\d[\d.,${GROUP_MARKS}]*`;

const CURRENCY = String.raw`(?:[A-Z]{3}|(?:US|A|C|NZ|HK|R)?\$|[€£¥₹₺₽₩₪₫฿₦₱]|kr\.?|zł|Kč|R)`;

const UNSUPPORTED_FORMS: readonly UnsupportedNumberForm[] = [
  {
    pattern: new RegExp(`^\\(\\s*${NUMBER}\\)$`),
    description: 'a negative number in parentheses, or a footnote',
    remedy: 'write -123 for (123), and nothing for a footnote',
    isReadWithOption: true,
  },
  {
    pattern: new RegExp(`^${NUMBER}[-\u2212]$`),
    description: 'a number with its minus behind it',
    remedy: 'write -123 for 123-',
    isReadWithOption: true,
  },
  {
    pattern: new RegExp(
      `^[-\u2212(]?\\s*${CURRENCY}\\s*[-\u2212(]?${NUMBER}\\)?$|^[-\u2212(]?${NUMBER}${CURRENCY}\\)?$`,
      'u',
    ),
    description: 'a number with its currency',
    remedy: 'write 1234 for £1,234: the currency is in fx',
  },
  {
    pattern: /^-?\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?$/,
    description: 'a number in lakhs and crores',
    remedy: 'write 1234567 for 12,34,567',
  },
  {
    pattern: new RegExp(
      `^[-\u2212]?${NUMBER}(?:k|m|mn|mm|mio\\.?|bn|b|tn|mrd\\.?|tsd\\.?|thousand|million|billion|lakh|crore)s?$`,
      'i',
    ),
    description: 'a number with its unit',
    remedy: 'write it in full, 1200000 for 1.2m',
  },
  {
    pattern: new RegExp(
      `^[-\u2212]?${NUMBER}(?:[*†‡§#]+|\\(?\\[?(?:[a-z]|\\d)\\]?\\)|\\[\\w{1,2}\\]|[peri])$`,
      'i',
    ),
    description: 'a number with a mark behind it',
    remedy: 'write 1234 for 1,234*, and the note in a sheet named Notes',
  },
  {
    pattern: new RegExp(`^(?:~|≈|±|c\\.?|ca\\.?|circa|approx\\.?|about|est\\.?)\\s*${NUMBER}$`, 'i'),
    description: 'an approximate number',
    remedy: 'write 500 for ~500 if that is the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^(?:<|>|≤|≥|<=|>=|under|over|more than|less than)\\s*${NUMBER}$`, 'i'),
    description: 'a limit, not a number',
    remedy: 'write the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^${NUMBER}\\s*(?:-|–|to)\\s*${NUMBER}$`, 'i'),
    description: 'a range, not a number',
    remedy: 'write the figure to publish, or leave the cell empty',
  },
  {
    pattern: new RegExp(`^\\+\\s*${NUMBER}$`),
    description: 'a number with a plus',
    remedy: 'write 123 for +123',
  },
  {
    pattern: new RegExp(`^[-\u2212]?${NUMBER}%$`),
    description: 'a percentage as text',
    remedy: 'write 3.5 for 3.5% where the unit is percent',
  },
  {
    pattern:
      /^(?=.*[^\P{Nd}0-9])[-\u2212\uff0d]?[\p{Nd}.,\uff0e\uff0c\u066b\u066c]+(?:[Ee\uff25\uff45][-+\u2212\uff0b\uff0d]?\p{Nd}+)?$/u,
    description: 'a number in digits of another script',
    remedy: 'write it with the digits 0 to 9',
  },
];
