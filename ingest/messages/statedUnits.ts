// Finds the units that texts state, in the languages of the statistics that people copy: `USD m`, `in thousands`, `€ 000`.

export interface StatedUnit {
  /** The words that state it: `USD m`. */
  readonly said: string;
  /** `thousands`, `millions` or `billions`. */
  readonly word: string;
  /** What to multiply by: `1e6`. */
  readonly factor: string;
  /** The other factor that the words may mean. */
  readonly otherFactor?: string;
}

/** The unit that a text states; null when it states none. */
export function statedUnit(text: string): StatedUnit | null {
  if (!MAY_STATE.test(text)) return null;
  for (const pattern of patterns()) {
    const found = pattern.exec(text);
    const unit = found === null ? undefined : unitNamed(found.groups?.unit ?? '');
    if (found !== null && unit !== undefined) return { said: found[0].trim(), ...unit };
  }
  return null;
}

/** The unit in the text that a number format writes beside its figures, where `m` alone is one; null for any other text. */
export function unitBeside(text: string): StatedUnit | null {
  const alone = ALONE.exec(text)?.groups?.unit;
  const unit = alone === undefined ? undefined : unitNamed(alone);
  return unit === undefined ? statedUnit(text) : { said: text.trim(), ...unit };
}

type Unit = Omit<StatedUnit, 'said'>;

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

const ZEROS = "['’‘]?000s?";

const CODES: readonly string[] = Intl.supportedValuesOf('currency');

const ANY_CODE = CODES.join('|');

const SIGN = 'US\\$|[$€£¥₹₽₩₺]';

const LOCAL = `${SIGN}|(?<![\\p{L}\\p{N}])(?:kr\\.?|zł|Kč|Fr\\.|Rs\\.?)`;

export const CURRENCY_WORD = new RegExp(`\\b(?:${ANY_CODE})\\b|${SIGN}`, 'g');

const ALONE = new RegExp(
  `^\\s*(?:${SIGN})?\\s*(?<unit>${WORDS}|${SHORT}|cr\\.?|mill?\\.|[.,' ’]?000)(?:\\s*(?:${SIGN}))?\\s*$`,
  'iu',
);

/** Parts of the patterns. */
interface Parts {
  /** The codes of currencies. */
  readonly code: string;
  /** Stands before a unit that is no part of a word. */
  readonly begins: string;
  /** Stands behind it. A raised figure there is the mark of a footnote. */
  readonly ends: string;
  /** A number before a word (`over 2 million adults`) makes it an amount and no unit. */
  readonly noNumber: string;
}

const EXACT: Parts = {
  code: ANY_CODE,
  begins: '(?<![\\p{L}\\p{Nd}])',
  ends: '(?![\\p{L}\\p{Nd}])',
  noNumber: '(?<!\\d[.,]?\\s*)',
};

/** V8 takes 25 ms to compile them at their first uses. */
let compiled: readonly RegExp[] | undefined;
function patterns(): readonly RegExp[] {
  compiled ??= patternsOf(EXACT).map(([source, flags]) => new RegExp(source, flags));
  return compiled;
}

/** Where the unit is a number, a currency code must be in capitals: the `All` of `All 1000 venues` is no Albanian lek. */
const patternsOf = ({
  code,
  begins,
  ends,
  noNumber,
}: Parts): readonly (readonly [source: string, flags: string])[] => [
  [
    `(?:\\b(?:${code})(?=\\b|(?:m|mn|mm|mln|bn|k)\\b|000)|${LOCAL})\\s*\\(?(?<unit>${WORDS}|${SHORT}|[,.]?${ZEROS})${ends}`,
    'iu',
  ],
  [`${noNumber}(?<!\\b(?:one|two|three|a|few|half|several|over)\\s)${begins}(?<unit>${WORDS})${ends}`, 'iu'],
  [`${begins}in\\s+(?<unit>hundreds|mila|m|mn|mm|bn|k|${ZEROS})${ends}`, 'iu'],
  [`${begins}e[nm]\\s+(?<unit>miles|mil)${ends}`, 'iu'],
  [`[([]\\s*(?<unit>${ZEROS}|m|mn|bn|k)\\s*[)\\]]`, 'iu'],
  [`${begins}(?<unit>['’‘]000s?)${ends}`, 'iu'],
  [`${begins}(?:[x×*]\\s?)?(?<unit>10(?:\\^(?:12|[369])|[³⁶⁹]|¹²))${ends}`, 'iu'],
  [`${begins}(?:[x×*]|multipl\\p{L}+ (?:by|with))\\s?(?<unit>1[,. ]?000(?:[,. ]?000)?)${ends}`, 'iu'],
  [
    `${begins}(?:in|units of)\\s+(?<unit>1[,. ]?000(?:[,. ]?000)?s?)(?=\\s*(?:$|[)\\],;]|${code}|${LOCAL}|(?:[Ee]uros?|[Dd]ollars?|[Pp]ounds?)${ends}))`,
    'u',
  ],
  [`(?:^|[([,]|\\b[Uu]nits?:?)\\s*(?:${code}|${SIGN})\\s*(?<unit>1[,. ]?000s?)\\s*(?:$|[)\\],])`, 'u'],
  [`(?<![\\p{L}\\p{N}.,]|\\d\\s)(?<unit>000s?)\\s?(?:${code}|${SIGN})${ends}`, 'u'],
  [`${noNumber}${begins}(?<unit>[mk]|bn)(?:${code})${ends}`, 'u'],
  [`${noNumber}${begins}(?<unit>M|K|T)(?=(?:${code}|€)${ends})`, 'u'],
  [`${noNumber}${begins}(?<unit>t)(?=(?:SEK|NOK|DKK|ISK|EUR|CHF)${ends})`, 'u'],
  [
    `${noNumber}${begins}(?<unit>[mMkK]|mn|mm|[Mm]ill?\\.?|[Mm]ds?|bn|tis\\.?|tys)\\s?(?:${code}|${SIGN}|zł|Kč)${ends}`,
    'u',
  ],
  [`${noNumber}${begins}(?<unit>[mMtT]|[mM]d|[mM]ia\\.?|[mM]ill?\\.?)\\s?kr${ends}`, 'u'],
  [`(?:\\bINR|₹|${begins}Rs\\.?)\\s*\\(?(?<unit>cr\\.?)${ends}`, 'iu'],
  [`${noNumber}(?<unit>百[万萬]|[千万萬億亿]|백만|[천만억])(?=[円元圓圆원]|ドル|달러|[美港]元)`, 'u'],
];

/** Fits every text that fits a pattern, and few others: any three letters are a code. V8 compiles it much faster. */
const MAY_STATE = new RegExp(
  patternsOf({ code: '[a-z]{3}', begins: '(?<![a-z\\d])', ends: '(?![a-z\\d])', noNumber: '' })
    .map(([source]) => source.replace('?<unit>', '?:'))
    .join('|'),
  'iu',
);
