// Recognises the currency sign of a number format, and checks whether it fits the currency code of a row.

import { CURRENCY_CODES } from './currencyCodes.ts';

/** The currency sign or code in the text of a number format; null when there are none or several. */
export function currencyIn(text: string): string | null {
  if (NO_LETTER.test(text)) return null;
  const found = new Set([...text.matchAll(SIGN_OR_CODE)].map(([sign]) => sign));
  const [sign] = found;
  return found.size === 1 && sign !== undefined ? sign : null;
}

/**
 * Matches ASCII texts without letters and `$`, such as `#,##0`. They contain no currency, so the slow `SIGN_OR_CODE` is not
 * tried.
 */
const NO_LETTER = /^[\s!-#%-@[-`{-~]*$/;

/** Whether amounts in the currency with this code may have this sign or code, such as `$` for `CAD`. */
export const mayShow = (sign: string, code: string): boolean =>
  sign === code || SIGNS.some(([one, ...codes]) => one === sign && codes.includes(code));

/** Each sign, and behind it the codes of the currencies that use it. */
const SIGNS: readonly (readonly string[])[] = `
  $ USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP UYU DOP BSD BBD BZD BMD BND FJD GYD JMD KYD LRD NAD SBD SRD
  TTD XCD ZWL ZWG ZWD CUP CVE PHP TOP WST MOP NIO BRL;
  US$ USD; R$ BRL; A$ AUD; C$ CAD NIO; CA$ CAD; HK$ HKD; NZ$ NZD; S$ SGD; NT$ TWD; € EUR;
  £ GBP EGP LBP SDG SSP SYP GIP FKP SHP GGP IMP JEP TRY; ¥ JPY CNY; ￥ JPY CNY; 元 CNY TWD; 円 JPY; ₹ INR;
  ₽ RUB BYN; ₩ KRW KPW; ₺ TRY; ₴ UAH; ₪ ILS; ₫ VND; ฿ THB; ₱ PHP CUP; ₦ NGN; ₡ CRC SVC; ₲ PYG; ₵ GHS; ₸ KZT;
  ₾ GEL; ֏ AMD; ₼ AZN; zł PLN; Kč CZK; kr SEK NOK DKK ISK; Ft HUF;`
  .split(';')
  .map((entry) => entry.trim().split(/\s+/))
  .filter(([sign]) => sign !== '');

const escaped = (sign: string) => sign.replace(/\$/g, '\\$');

/**
 * Matches a sign or a code. Longer signs are tried first, because `$` is part of `R$`. A code, or a sign in letters such as
 * `kr`, must not touch other letters.
 */
const SIGN_OR_CODE = new RegExp(
  [
    ...SIGNS.map(([sign = '']) => escaped(sign))
      .toSorted((a, b) => b.length - a.length)
      .map((sign) => (/^\p{L}+$/u.test(sign) ? `(?<!\\p{L})${sign}(?!\\p{L})` : sign)),
    `(?<!\\p{L})(?:${[...CURRENCY_CODES].join('|')})(?!\\p{L})`,
  ].join('|'),
  'gu',
);
