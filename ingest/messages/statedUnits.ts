// Finds the units that texts state, in the languages of the statistics that people copy: `USD m`, `in thousands`, `€ 000`.

export interface StatedUnit {
  /** The part of the text that states it: `USD m`. */
  readonly text: string;
  /** `thousands`, `millions` or `billions`. */
  readonly word: string;
  /** What to multiply by: `1e6`. */
  readonly factor: string;
  /** The other factor that the words may mean. */
  readonly otherFactor?: string;
}

/** The unit that a text states; null when it states none. */
export function statedUnit(text: string): StatedUnit | null {
  if (PLAIN.test(text) && !MAY_STATE.test(text) && !(MAY_STAND_BESIDE.test(text) && namesCurrency(text)))
    return null;
  for (const pattern of patterns()) {
    const found = pattern.exec(text);
    const unit = found === null ? undefined : unitNamed(found.groups?.unit ?? '');
    if (found !== null && unit !== undefined) return { text: found[0].trim(), ...unit };
  }
  return null;
}

/** The unit that a number format writes beside a number. Unlike in `statedUnit`, `m` alone is one; null for any other text. */
export function unitBeside(text: string): StatedUnit | null {
  const alone = ALONE.exec(text)?.groups?.unit;
  const unit = alone === undefined ? undefined : unitNamed(alone);
  return unit === undefined ? statedUnit(text) : { text: text.trim(), ...unit };
}

type Unit = Omit<StatedUnit, 'text'>;

function unitNamed(word: string): Unit | undefined {
  return UNITS.find(([words]) => words.test(word))?.[1];
}

const unit = (word: string, factor: string): Unit => ({ word, factor });

const UNITS: readonly (readonly [words: RegExp, unit: Unit])[] = [
  [/^hundreds$/i, unit('hundreds', '1e2')],
  [/^thousand millions?$/i, unit('billions', '1e9')],
  [
    /^(?:thousands?|thous?\.?|thsds?\.?|ths\.?|tsd\.?|tausend|milliers|miles|mila|migliaia|milhares|duizend(?:en)?|tusen|t[iy]s\.?|tysięcy|тыс\.?|тысяч\p{L}*|[kt]|['’‘]?000s?|[.,' ’]?000s?|1[,. ]?000s?|10(?:\^3|³)|千|천)$/iu,
    unit('thousands', '1e3'),
  ],
  [/^(?:ten thousands?|[万萬만])$/i, unit('ten thousands', '1e4')],
  [/^(?:hundred thousands?|lakhs?|lacs?)$/i, unit('lakhs (100,000)', '1e5')],
  [/^mil\.?$/i, { word: 'thousands or millions', factor: '1e6', otherFactor: '1e3' }],
  [
    /^(?:millions?|millionen|millones|milioni|milhões|milhoes|miljoen|miljoner|milyon|millió|milioane|mio\.?|mill\.?|mln\.?|milj\.?|mn|mm|m|млн\.?|миллион\p{L}*|1[,. ]?000[,. ]?000|10(?:\^6|⁶)|百[万萬]|백만)$/iu,
    unit('millions', '1e6'),
  ],
  [/^(?:crores?|cr\.?)$/i, unit('crores (10,000,000)', '1e7')],
  [/^(?:hundred millions?|[億亿억])$/i, unit('hundred millions', '1e8')],
  [
    /^(?:billions?|bilhões|bilhoes|bln\.?|milliards?|milliarden|miliardi|miljard|miljarder|milyar|mrd\.?|mld\.?|mds?|mia\.?|bn|млрд\.?|миллиард\p{L}*|10(?:\^9|⁹))$/iu,
    unit('billions', '1e9'),
  ],
  [/^(?:trillions?|trn?|tn|10(?:\^12|¹²))$/i, unit('trillions', '1e12')],
];

/** Words that are a unit wherever they stand. */
const WORDS = [
  '(?:hundred|thousand) millions?|hundred thousands?',
  'ten thousands?',
  'thousands?|millions?|billions?|trillions?|lakhs?|lacs?|crores?',
  'tsd\\.?|tausend|millionen|mio\\.?|mln\\.?|mrd\\.?|milliarden|mld\\.?|bln\\.?',
  'milliers|milliards?|millones|milioni|miliardi|migliaia|milhares|milhões|milhoes|bilhões|bilhoes|miles(?= de )',
  'duizend(?:en)?|miljoen|miljard|tusen|miljoner|miljarder|tys\\.|tysięcy|milyon|milyar|millió|milioane|ths\\.',
  'тыс\\.?|тысяч\\p{L}*|млн\\.?|миллион\\p{L}*|млрд\\.?|миллиард\\p{L}*',
].join('|');

/** Words that are a unit only beside a currency. */
const SHORT = 'thous?\\.?|thsds?\\.?|ths|tys|mill?\\.?|milj\\.?|mn|mm|m|mds?|mia\\.?|bn|trn|tn|k';

/** Thousands as zeros: `000`, `'000s`. */
const ZEROS = "['’‘]?000s?";

const CODES: readonly string[] = Intl.supportedValuesOf('currency');

const CURRENCIES: ReadonlySet<string> = new Set(CODES);

const ANY_CODE = CODES.join('|');

const SIGN = 'US\\$|[$€£¥₹₽₩₺]';

/** Signs of currencies, and abbreviations that are used like signs. */
const LOCAL = `${SIGN}|(?<![\\p{L}\\p{N}])(?:kr\\.?|zł|Kč|Fr\\.|Rs\\.?)`;

/** Matches each code and each common sign of a currency. */
export const CURRENCY_WORD = new RegExp(`\\b(?:${ANY_CODE})\\b|${SIGN}`, 'g');

/** Matches a text that is a unit and nothing else, a sign of a currency aside. */
const ALONE = new RegExp(
  `^\\s*(?:${SIGN})?\\s*(?<unit>${WORDS}|${SHORT}|cr\\.?|mill?\\.|[.,' ’]?000)(?:\\s*(?:${SIGN}))?\\s*$`,
  'iu',
);

const BEGINS = '(?<![\\p{L}\\p{Nd}])';
/** A raised figure behind a unit is the mark of a footnote. */
const ENDS = '(?![\\p{L}\\p{Nd}])';

/** V8 takes 20 ms to compile them at their first use. */
let compiled: readonly RegExp[] | undefined;
function patterns(): readonly RegExp[] {
  compiled ??= PATTERNS.map(([source, flags]) => new RegExp(source, flags));
  return compiled;
}

/** A number before a word (`over 2 million adults`) makes it an amount and no unit. */
const NO_NUMBER = '(?<!\\d[.,]?\\s*)';

/** Where the unit is a number, a currency code must be in capitals: the `All` of `All 1000 venues` is no Albanian lek. */
const PATTERNS: readonly (readonly [source: string, flags: string])[] = [
  [
    `(?:\\b(?:${ANY_CODE})(?=\\b|(?:m|mn|mm|mln|bn|k)\\b|000)|${LOCAL})\\s*\\(?(?<unit>${WORDS}|${SHORT}|[,.]?${ZEROS})${ENDS}`,
    'iu',
  ],
  [`${NO_NUMBER}(?<!\\b(?:one|two|three|a|few|half|several|over)\\s)${BEGINS}(?<unit>${WORDS})${ENDS}`, 'iu'],
  [`${BEGINS}in\\s+(?<unit>hundreds|mila|m|mn|mm|bn|k|${ZEROS})${ENDS}`, 'iu'],
  [`${BEGINS}e[nm]\\s+(?<unit>miles|mil)${ENDS}`, 'iu'],
  [`[([]\\s*(?<unit>${ZEROS}|m|mn|bn|k)\\s*[)\\]]`, 'iu'],
  [`${BEGINS}(?<unit>['’‘]000s?)${ENDS}`, 'iu'],
  [`${BEGINS}(?:[x×*]\\s?)?(?<unit>10(?:\\^(?:12|[369])|[³⁶⁹]|¹²))${ENDS}`, 'iu'],
  [`${BEGINS}(?:[x×*]|multipl\\p{L}+ (?:by|with))\\s?(?<unit>1[,. ]?000(?:[,. ]?000)?)${ENDS}`, 'iu'],
  [
    `${BEGINS}(?:in|units of)\\s+(?<unit>1[,. ]?000(?:[,. ]?000)?s?)(?=\\s*(?:$|[)\\],;]|${ANY_CODE}|${LOCAL}|(?:[Ee]uros?|[Dd]ollars?|[Pp]ounds?)${ENDS}))`,
    'u',
  ],
  [`(?:^|[([,]|\\b[Uu]nits?:?)\\s*(?:${ANY_CODE}|${SIGN})\\s*(?<unit>1[,. ]?000s?)\\s*(?:$|[)\\],])`, 'u'],
  [`(?<![\\p{L}\\p{N}.,]|\\d\\s)(?<unit>000s?)\\s?(?:${ANY_CODE}|${SIGN})${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mk]|bn)(?:${ANY_CODE})${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>M|K|T)(?=(?:${ANY_CODE}|€)${ENDS})`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>t)(?=(?:SEK|NOK|DKK|ISK|EUR|CHF)${ENDS})`, 'u'],
  [
    `${NO_NUMBER}${BEGINS}(?<unit>[mMkK]|mn|mm|[Mm]ill?\\.?|[Mm]ds?|bn|tis\\.?|tys)\\s?(?:${ANY_CODE}|${SIGN}|zł|Kč)${ENDS}`,
    'u',
  ],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mMtT]|[mM]d|[mM]ia\\.?|[mM]ill?\\.?)\\s?kr${ENDS}`, 'u'],
  [`(?:\\bINR|₹|${BEGINS}Rs\\.?)\\s*\\(?(?<unit>cr\\.?)${ENDS}`, 'iu'],
  [`${NO_NUMBER}(?<unit>百[万萬]|[千万萬億亿]|백만|[천만억])(?=[円元圓圆원]|ドル|달러|[美港]元)`, 'u'],
];

/**
 * Matches ASCII, accented letters of Latin-1 and some punctuation. The two cheap tests below are made for such texts alone:
 * elsewhere, the long s and ß are ASCII letters in another case, and the ł of zł is part of a unit.
 */
const PLAIN = /^[\s -~À-ÖØ-Þà-öø-ÿ–—…’“”]*$/;

/** A cheap test before the patterns: matches every plain text that one of them matches without a currency code. */
const MAY_STATE =
  /thousand|mil|billion|bil[lh]|bln|trillion|mi[oa]|mln|mld|mrd|migliaia|tsd|ths|tausend|duizend|tusen|t[iy]s|la[ck]|crore|(?:in|e[nm])\s+(?:hundreds|mn?|mm|bn|k|1|['’]?000)|units of|[([]\s*(?:mn?|bn|k|000)|['’]000|[x*]\s?1|multipl|10\^|kr|rs|fr\.|\$/i;

/**
 * A cheap test before the patterns: matches every other plain text that one of them matches, with any three letters in
 * place of a currency code. It does not match `gdp_usd`.
 */
const MAY_STAND_BESIDE = new RegExp(
  `[a-z]{3}\\s*\\(?(?:(?:${SHORT}|cr)(?![a-z\\d])|[,.]?['’]?000|1[,. ]?000)|(?<![a-z\\d])(?:bn|mn|mm|mds?|[mkt]|000s?)\\s?[a-z]{3}(?![a-z\\d])`,
  'i',
);

/** Whether three letters of a word may be a currency: `USD m`, `USDm`, `mUSD`, `TEUR`, `mdsEUR`. */
const namesCurrency = (text: string): boolean =>
  text
    .toUpperCase()
    .split(/[^A-Z]+/)
    .some((word) => [0, 1, 2, 3].some((at) => CURRENCIES.has(word.slice(at, at + 3))));
