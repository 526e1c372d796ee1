// Removes the name of a currency from a heading, and the small words around it: `GGR ( de euros)` becomes `GGR`.

import { CURRENCY_WORD } from './unitPatterns.ts';

/** A heading without brackets, commas and words of currencies; empty when it has no other words. */
export const withoutCurrency = (heading: string): string =>
  heading
    .normalize('NFC')
    .replace(CURRENCY_WORD, ' ')
    .replace(NAMES, ' ')
    .replace(/[()[\]{}（）,;:/|=]/g, ' ')
    .replace(JOINING, ' ')
    .trim();

/** Names of currencies, in the languages of the people who use them. */
const NAMES = word(
  'R\\$|A\\$|C\\$|euros?|eur[oó]w|evro|евро|€uros?|(?:US|U\\.S\\.|american|canadian|australian)?[ -]?dollars?|d[oó]lar(?:es)?|dollar[io]|dolar[oó]w|доллар\\p{L}*|долл\\.?|' +
    'pounds?|sterling|livres?|libras?|sterline|esterlinas|pesos?|reais|soles|kron(?:or|er|a|e|ur)|kr\\.?|korun\\p{L}?|Kč|złot\\p{L}*|zlot\\p{L}*|zł|forint\\p{L}*|Ft|lei|leva|лева|' +
    'рубл\\p{L}*|руб\\.?|гривен\\p{L}*|грн\\.?|francs?|franken|franchi|lira|lire|TL|yen|yuan|rupees?|rand|ringgit|baht|円|元|圆|원|NT\\$|HK\\$|S\\$',
);

/** Words that stand between a metric, a unit and a currency. */
const JOINING = word(
  "in|en|em|im|i|w|v|u|of|de|des|du|di|do|da|von|van|av|af|d['’]|expressed|figures|figs?|amounts?|values?|montants?|cifras|importes?|valores|valori|importi|Angaben|Beträge|bedragen|belopp|beløp|tall",
);

function word(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'giu');
}
