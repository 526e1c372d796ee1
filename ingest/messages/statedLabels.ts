// Finds labels in the texts around a table: the currency of its figures, or that they are reported or forecasts.
//
// A text that may be about something else gives no label, for example when it names two currencies, a rate or a conversion.

/** The value of a dimension that a text states for all rows of its table. */
export interface StatedLabel {
  readonly dimension: 'fx' | 'temporal';
  /** A code or sign of a currency, or `Current` or `Forecast`. */
  readonly value: string;
}

/** The labels that the name of a file, sheet or table states: `GGR_EUR`, `ggr-italy-forecast`. */
export function labelsInName(name: string): readonly StatedLabel[] {
  if (!mayState(name)) return [];
  const words = name.normalize('NFKC').replace(/(?<=\p{Ll})(?=\p{Lu})|[_\-.]+/gu, ' ');
  if (words.length > LONGEST_TEXT || ABOUT_OTHERS.test(words)) return [];
  return [
    ...currencyIn(words, CODE_IN_NAME),
    ...temporalIn((states) => words.split(/[^\p{L}]+/u).some((word) => states.test(word))),
  ];
}

/** The labels that a title or a comment states: `GGR in EUR`, `All figures in euros`, `Forecast 2027`. */
export function labelsInText(text: string): readonly StatedLabel[] {
  if (!mayState(text)) return [];
  const words = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (words.length > LONGEST_TEXT || ABOUT_OTHERS.test(words)) return [];
  const rest = words
    .replace(FILLERS, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  return [...currencyIn(words, CODE), ...temporalIn((states) => states.test(rest))];
}

/** The most characters of a text that is searched. A longer text is prose and may be about a part of the figures. */
const LONGEST_TEXT = 60;

/** Whether a text is about a conversion, an exception, or figures that are elsewhere. */
export const isAboutOthers = (text: string): boolean => ABOUT_OTHERS.test(text);

const ABOUT_OTHERS =
  /(?<!\p{L})(?:from|into|to(?! \d{4})|convert\p{L}*|rates?|exchange|vs|versus|against|per|excl\p{L}*|except|without|not?|non|pre|before|after|next|last|ex|source|see|such|other|local|national|domestic|original\p{L}*|gdp)(?!\p{L})|[/&+=]/iu;

/** Years may stand beside a currency. A text with any other number there is about an amount: `above EUR 1 million`. */
const YEAR = /(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu;

function currencyIn(text: string, code: RegExp): readonly StatedLabel[] {
  const found = new Set(
    [...text.replace(YEAR, '').matchAll(code), ...text.matchAll(WORD)].map(
      ([, name = '', word]) =>
        (word === undefined ? CODE_OF_SIGN[name] : codeOfWord(word)) ?? name.toUpperCase(),
    ),
  );
  if (found.has('GBP')) found.delete('£');
  const [value] = found;
  return found.size === 1 && value !== undefined ? [{ dimension: 'fx', value }] : [];
}

/**
 * Codes that are not also a word, a country or a product. The codes of small currencies often are: `ALL`, `TOP`, `PEN`,
 * `MOP`.
 */
const CODES =
  'USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|NZD|JPY|CNY|HKD|SGD|KRW|INR|ZAR|BRL|MXN|ILS|THB|TWD|PHP|MYR|IDR|VND|UAH|BGN|HRK|ISK|AED|NGN|KES|RUB|KZT|RSD|RON';

/**
 * Whether a text may state a label. The result must be true for every text that states one. The test is cheap: V8 takes
 * milliseconds to compile the other patterns, and most texts state nothing.
 */
const mayState = (text: string): boolean => MAY_STATE.test(text) || MAY_STATE_IN_WORDS.test(text);

const MAY_STATE = new RegExp(`${CODES}|US\\$|[^ -~]`);

const MAY_STATE_IN_WORDS =
  /usd|eur|gbp|chf|sek|nok|dkk|pln|jpy|dollar|sterling|forecast|fcst|budget|plan|projection|prognos|prognoz|previs|actual|reported|outturn|istwert|realis/i;

/** Units that stand before or behind a code without a space: `kEUR`, `TEUR`, `EURm`, `USD'000`. */
const BEFORE = '(?:[kKmMT]|mn|bn|mio)';
const BEHIND = "(?:[kKmM]|mn|bn|['’]?000)";

const SIGNS = 'US\\$|[€£]';

const stated = (codes: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{Nd}])(?<!\\p{Nd}\\s)${BEFORE}?(${codes})${BEHIND}?(?![\\p{L}\\p{Nd}$]|[\\s-](?!000)\\p{Nd}|-\\p{L})`,
    'gu',
  );

const CODE = stated(`${CODES}|${SIGNS}`);

/** In names, codes of the most common currencies may be in lower case: `ggr-eur`. */
const CODE_IN_NAME = stated(`${CODES}|${SIGNS}|usd|eur|gbp|chf|sek|nok|dkk|pln|jpy`);

/**
 * Names of currencies in words. The name is the second group. The first group is empty, because it is the code in `CODE`.
 * `Euro area` does not match, because it is a part of the world. `Euro 2024` does not, because it is a championship.
 */
const WORD =
  /()(?<!\p{L})(euros?(?![\s-]*(?:area|zone|members?|countries|cup|\p{Nd}))|US dollars?|pounds? sterling|sterling)(?!\p{L})/giu;

function codeOfWord(word: string): string {
  if (/^eur/i.test(word)) return 'EUR';
  return /dollar/i.test(word) ? 'USD' : 'GBP';
}

const CODE_OF_SIGN: Readonly<Record<string, string>> = { '€': 'EUR', US$: 'USD' };

/**
 * The label that a text states: forecast or reported. None if it states neither or both.
 *
 * @param states Tests the words of the text with a pattern.
 */
function temporalIn(states: (words: RegExp) => boolean): readonly StatedLabel[] {
  const [isForecast, isReported] = [states(FORECAST), states(REPORTED)];
  if (isForecast === isReported) return [];
  return [{ dimension: 'temporal', value: isForecast ? 'Forecast' : 'Current' }];
}

const FORECAST =
  /^(?:forecasts?|fcst|budget(?:ed)?|plan(?:ned)?|projections?|prognos(?:is|en?|es)|planung|prévisions?|previsiones|previsioni|previsões|prognoza)$/iu;

const REPORTED = /^(?:actuals?|reported|outturns?|istwerte|réalisé|realisé)$/iu;

/** Words of titles that may stand beside `forecast` or `reported`. */
const FILLERS =
  /(?<!\p{L})(?:ggr|gross gaming revenues?|turnover|stakes|wagers|revenues?|annual|yearly|figures?|data|values?|amounts?|scenario|table|for|of|in|the|all|years?|EUR|USD|GBP|€|£|US\$)(?!\p{L})/giu;
