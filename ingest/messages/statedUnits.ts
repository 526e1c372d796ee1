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

/** Whether what seems a currency may be an English word: `all m` in `ggr_all_m`. */
export const isDoubtful = ({ text }: StatedUnit): boolean =>
  /^(?:[aA]ll|[bB]ad|[cC]up|[sS]it|[tT]op)(?![a-zA-Z])/.test(text);

/** The unit that a name states, such as that of a file, a sheet or a table: `GGR_EURm`, `tblTurnoverInThousands`. */
export const unitInName = (name: string): StatedUnit | null =>
  statedUnit(name) ?? statedUnit(name.replace(/_+|(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

/**
 * The unit that a text states; null when it states none. A long text is looked at in parts that overlap, because some
 * patterns take minutes for 100,000 spaces.
 */
export function statedUnit(text: string): StatedUnit | null {
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += LONGEST_PART - OVERLAP) {
    const unit = unitInPart(text.length <= LONGEST_PART ? text : text.slice(start, start + LONGEST_PART));
    if (unit !== null) return unit;
  }
  return null;
}

const LONGEST_PART = 2000;

/** No unit is longer. */
const OVERLAP = 200;

function unitInPart(text: string): StatedUnit | null {
  if (PLAIN.test(text) && !MAY_STATE.test(text) && !standsBesideCurrency(text)) return null;
  const composed = text.normalize('NFC');
  const compound = compoundUnit(composed);
  if (compound !== null) return compound;
  for (const pattern of patterns()) {
    const found = pattern.exec(composed);
    const unit = found === null ? undefined : unitNamed(found.groups?.unit ?? '');
    if (found !== null && unit !== undefined) return { text: found[0].trim(), ...unit };
  }
  return null;
}

/** The unit of two words that are multiplied: `miles de millones`, `milliers de millions`, `Tausend Millionen`. */
function compoundUnit(text: string): StatedUnit | null {
  compounds ??= new RegExp(COMPOUND, 'iu');
  const { 0: whole = '', groups = {} } = compounds.exec(text) ?? {};
  const second = unitNamed(groups.second ?? groups.first ?? '');
  if (second === undefined) return null;
  const times = groups.tens !== undefined ? 10 : groups.hundreds !== undefined ? 100 : 1000;
  const factor = `1e${Math.round(Math.log10(Number(second.factor) * times))}`;
  const known = UNITS.findLast(([, unit]) => unit.factor === factor)?.[1];
  return { text: whole.trim(), word: known?.word ?? `units of ${factor}`, factor };
}

/**
 * The unit that a number format writes beside a number. Unlike in `statedUnit`, `m` alone is one; null for any other text.
 * Where the format divides the number first, the unit is what is left to multiply by, and null when that is 1.
 */
export function unitBeside(text: string, divisor = 1): StatedUnit | null {
  const alone = (ALONE.exec(text) ?? ALONE_IN_CAPITALS.exec(text))?.groups?.unit;
  const unit = alone === undefined ? undefined : alone === 'T' ? THOUSANDS_OR_TRILLIONS : unitNamed(alone);
  const found = unit === undefined ? statedUnit(text) : { text: text.trim(), ...unit };
  return found === null || divisor === 1 ? found : dividedUnit(found, divisor);
}

/** The unit that a cell states beside its label: `Unit` and `m`, or `Scale factor` and 1000. */
export function unitBesideLabel(label: string, value: string | number): StatedUnit | null {
  if (!isUnitLabel(label)) return null;
  const number = Number(String(value).replace(/(?<=\d)[,. '](?=\d{3}(?!\d))/g, ''));
  const factor = UNITS.find(
    ([, unit]) => Number(unit.factor) === number && unit.otherFactor === undefined,
  )?.[1];
  if (factor !== undefined) return { text: `${value}`.trim(), ...factor };
  return typeof value === 'string' ? unitBeside(value) : null;
}

/** Whether a text announces a unit: `Unit`, `Scale factor`, `Multiplier`. */
export const isUnitLabel = (text: string): boolean => LABEL.test(text);

const LABEL =
  /^\s*(?:units?(?: of measure(?:ment)?)?|unit[ _]mult(?:iplier)?|multiplier|multipl(?:ied|y) by|scal(?:e|ing)(?: factor)?|figures|amounts|values|einheit|unité|unidad|unità|eenheid|enhet)\s*(?:in)?\s*[:=]?\s*$/i;

function dividedUnit({ text, factor, otherFactor }: StatedUnit, divisor: number): StatedUnit | null {
  const [left = 1, other] = [factor, otherFactor].flatMap((one) =>
    one === undefined ? [] : [Number(one) / divisor],
  );
  if (left === 1 || other === 1) return null;
  const written = (value: number) => `1e${Math.round(Math.log10(value))}`;
  const named = UNITS.find(([, unit]) => unit.factor === written(left))?.[1];
  return {
    text,
    word: named?.word ?? `units of ${written(left)}`,
    factor: written(left),
    ...(other !== undefined && { otherFactor: written(other) }),
  };
}

type Unit = Omit<StatedUnit, 'text'>;

function unitNamed(word: string): Unit | undefined {
  return UNITS.find(([words]) => words.test(word))?.[1];
}

const unit = (word: string, factor: string): Unit => ({ word, factor });

/** A `T` that stands beside a number and no currency. */
const THOUSANDS_OR_TRILLIONS: Unit = { word: 'thousands or trillions', factor: '1e3', otherFactor: '1e12' };

const UNITS: readonly (readonly [words: RegExp, unit: Unit])[] = [
  [/^hundreds$/i, unit('hundreds', '1e2')],
  [/^thousand millions?$/i, unit('billions', '1e9')],
  [
    /^(?:thousands?|thous?\.?|thsds?\.?|ths\.?|tsd\.?|tausend|milliers|miles|mila|migliaia|milhares|duizend(?:en)?|tusen|t[iy]s\.?|tysięcy|тыс\.?|тысяч\p{L}*|tuhat|tuh\.|tūkst\.?|hiljad\p{L}*|ezer|mii|χιλ\.?|χιλιάδ\p{L}*|[kt]|['’‘]?000s?|[.,' ’]?000s?|1[,. ]?000s?|10(?:\^3|³)|千|천|พัน|हज\u093c?ार|ribu(?:an)?|nghìn|ngàn|bin|milers|tusinde?r?|tuhatta|tis[íuo][cčć]\p{L}*|tysi[ąa]c\p{L}*|þús\.?|тис\.?|тисяч\p{L}*|хил\.?|хиляд\p{L}*|[בהלמוכ]?(?:אלפים?|אל?ש["״]ח)|אלף|(?:ب?ال|[بو])?(?:[آأا]لاف|ألف)|هزار)$/iu,
    unit('thousands', '1e3'),
  ],
  [/^(?:ten thousands?|[万萬만]|หมื่น)$/i, unit('ten thousands', '1e4')],
  [/^(?:hundred thousands?|lakhs?|lacs?|लाख)$/i, unit('lakhs (100,000)', '1e5')],
  [/^(?:十[万萬]|십만|แสน)$/, unit('hundred thousands', '1e5')],
  [/^mil\.?$/i, { word: 'thousands or millions', factor: '1e6', otherFactor: '1e3' }],
  [
    /^(?:millions?|millionen|millones|milioni|milhões|milhoes|miljoen|miljoner|milyon|millió|milioane|mio\.?|mill\.?|mln\.?|milj\.?|mn|mm|mi|m|млн\.?|миллион\p{L}*|milijun\p{L}*|md[pd]|εκατ\.?|εκατομμ\p{L}*|1[,. ]?000[,. ]?000|10(?:\^6|⁶)|百[万萬]|백만|ล้าน|juta(?:an)?|triệu|milions|millioner|mili[oó]n\p{L}*|mili?joo?n\p{L}*|millj\.?|milljón\p{L}*|мільйон\p{L}*|милион\p{L}*|[בהלמוכ]?(?:מי?לי(?:ון|ונים?)|מל?ש["״]ח)|(?:ب?ال|[بو])?(?:مليون|ملايين)|میلیون)$/iu,
    unit('millions', '1e6'),
  ],
  [/^(?:crores?|cr\.?|करोड\u093c)$/i, unit('crores (10,000,000)', '1e7')],
  [/^(?:千[万萬]|천만|สิบล้าน)$/, unit('ten millions', '1e7')],
  [/^(?:hundred millions?|[億亿억]|ร้อยล้าน|trăm triệu)$/i, unit('hundred millions', '1e8')],
  [
    /^(?:billions?|bilhões|bilhoes|bil\.?|bln\.?|milliards?|milliarden|miliardi|miljard|miljarder|milyar|ml?rd\.?|mld\.?|mds?|mia\.?|bi|bn?|млрд\.?|миллиард\p{L}*|mmd[pd]|δισ\.?|δισεκατομμ\p{L}*|10(?:\^9|⁹)|十[億亿]|십억|พันล้าน|mil[iy]ar(?:an)?|t[ỷỉ]|milliarder|milliárd|mili?[jy]?ard\p{L}*|milljarð\p{L}*|мільярд\p{L}*|милиард\p{L}*|[בהלמוכ]?מיליארדי?ם?|(?:ب?ال|[بو])?(?:مليارات|مليار|بليون|بلايين)|میلیارد)$/iu,
    unit('billions', '1e9'),
  ],
  [/^(?:百[億亿]|백억|หมื่นล้าน)$/, unit('ten billions', '1e10')],
  [/^(?:千[億亿]|천억|แสนล้าน)$/, unit('hundred billions', '1e11')],
  [
    /^(?:trillions?|billones|billionen|biljoen|biljoner|bio\.?|trn?|tn|10(?:\^12|¹²)|[兆조]|ล้านล้าน|triliun(?:an)?|ng(?:hì|à)n t[ỷỉ]|[בהלמוכ]?טריליון|(?:ب?ال|[بو])?تري?ليون|تریلیون)$/iu,
    unit('trillions', '1e12'),
  ],
];

/** Words that are a unit wherever they stand. */
const WORDS = [
  '(?:hundred|thousand) millions?|hundred thousands?',
  'ten thousands?',
  'thousands?|millions?|billions?|trillions?|lakhs?|lacs?|crores?',
  'tsd\\.?|tausend|millionen|mio\\.?|mln\\.?|ml?rd\\.?|milliarden|mld\\.?|bln\\.?',
  'milliers|milliards?|millones|milioni|miliardi|migliaia|milhares|milhões|milhoes|bilhões|bilhoes|miles(?= de )',
  'duizend(?:en)?|miljoen|miljard|billones|billionen|biljoen|biljoner|tusen|miljoner|miljarder|tys\\.|tysięcy|milyon|milyar|millió|milioane|ths\\.',
  'tuhat|tuh\\.|tūkst\\.?|hiljad\\p{L}*|milijun\\p{L}*|ezer|mii(?= (?:de )?(?:lei|RON))|mm?d[pd]',
  'χιλ\\.?|χιλιάδ\\p{L}*|εκατ\\.?|εκατομμ\\p{L}*|δισ\\.?|δισεκατομμ\\p{L}*',
  'тыс\\.?|тысяч\\p{L}*|млн\\.?|миллион\\p{L}*|млрд\\.?|миллиард\\p{L}*',
  'тис\\.|тисяч\\p{L}*|мільйон\\p{L}*|мільярд\\p{L}*|хил\\.|хиляд\\p{L}*|милион\\p{L}*|милиард\\p{L}*',
  'milers(?= d)|milions|tusinde?r?|millioner|milliarder|milliárd|þús\\.?|millj\\.|milljón(?:ir|a|um)?|milljarð(?:ar|a|ur)',
  'tisíc(?:e|ů|ov)?|tisoč(?:ih)?|tisuć(?:a|e|u)|tysi[ąa]c(?:e|ach)|mili[oó]n(?:y|ů|ów|ov|u)?|miliard(?:y|ů|ów|e|ov)?',
  'milijon(?:ov|a|ų|u|ai)?|milijard(?:a|e|i|ų|u|ai)?|tuhatta|miljoona[ad]?|miljardia?|miljonit|miljardit|miljon(?:u|i|us)|miljard(?:u|i|us)',
  'ribu(?:an)?|juta(?:an)?|miliar(?:an)?|triliun(?:an)?',
  '[בהלמוכ]?(?:אלפים?(?! מנשה)|מי?לי(?:ון|ונים?)|מיליארדי?ם?|טריליון|(?:אל?|מל?)ש["״]ח)|אלף(?= (?:ש["״]ח|שקל|דולר|אירו|₪))',
  '(?:ب?ال|[بو])?(?:[آأا]لاف|ألف(?! ليلة)|مليون|ملايين|مليار(?:ات)?|بليون|بلايين|تري?ليون)|هزار|میلیون|میلیارد|تریلیون',
  'हज\\u093c?ार|लाख|करोड\\u093c',
].join('|');

/** Words that are a unit only beside a currency. */
const SHORT = 'thous?\\.?|thsds?\\.?|ths|tys|mill?\\.?|milj\\.?|mn|mm|m|mds?|mia\\.?|bio\\.?|bn|trn|tn|k';

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
  `^\\s*(?:${SIGN})?\\s*(?<unit>${WORDS}|${SHORT}|cr\\.?|mill?\\.|אלף|ألف|bin|[.,' ’]?000)(?:\\s*(?:${SIGN}))?\\s*$`,
  'iu',
);

/** The same for units that count in capitals only, and for those of Asia without spaces between words. */
const ALONE_IN_CAPITALS = new RegExp(
  `^\\s*(?:${SIGN})?\\s*(?<unit>B|T|[十百千][万萬億亿]|[千万萬億亿兆]|[십백천][만억]|[천만억조]|(?:ล้าน|แสน|หมื่น|พัน)?ล้าน|แสน|หมื่น|พัน)(?:\\s*(?:${SIGN}))?\\s*$`,
  'u',
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
const NO_NUMBER = '(?<!\\p{Nd}[.,]?\\s*)';

/** Matches units of two words: `hundreds of thousands`, `miles de millones`. */
const COMPOUND =
  `${NO_NUMBER}(?<!\\b(?:one|two|three|a|few|half|several|over)\\s)${BEGINS}(?:` +
  '(?:(?<tens>tens|decenas|dizaines|dezenas|decine)|(?<hundreds>hundreds|cientos|centenares|centenas|centaines|centinaia))' +
  "\\s+(?:of|de|di|d['’])\\s*(?<first>thousands|miles|milhares|milliers|migliaia|millions|millones|milhões|milioni)|" +
  '(?:thousands?|mil|miles|milers|mila|milhares|milliers?|mille|migliaia|tausend|duizend(?:en)?|tusen|тыс\\.?|тысяч\\p{L}*|tys\\.?|tysięcy)' +
  "\\s+(?:(?:of|de|di|d['’])\\s*)?(?<second>millions?|millionen|mill?ones|milions|milioni|milhões|milhoes|miljoen|miljoner|mln\\.?|mio\\.?|млн\\.?|миллион\\p{L}*|milionów)" +
  `)${ENDS}`;

/** V8 takes time to compile it. */
let compounds: RegExp | undefined;

/** Where the unit is a number, a currency code must be in capitals: the `All` of `All 1000 venues` is no Albanian lek. */
const PATTERNS: readonly (readonly [source: string, flags: string])[] = [
  [
    `(?:\\b(?:${ANY_CODE})(?=\\b|(?:m|mn|mm|mln|bn|k)\\b|000)|${LOCAL})\\s*\\(?(?<unit>${WORDS}|${SHORT}|[,.]?${ZEROS})${ENDS}`,
    'iu',
  ],
  [`(?:\\b(?:${ANY_CODE})(?=\\b|[bB]\\b)|${LOCAL})\\s*\\(?(?<unit>[bB]|[Bb]il\\.?)${ENDS}`, 'u'],
  [`${NO_NUMBER}(?<!\\b(?:one|two|three|a|few|half|several|over)\\s)${BEGINS}(?<unit>${WORDS})${ENDS}`, 'iu'],
  [`${BEGINS}in\\s+(?<unit>hundreds|mila|m|mn|mm|bn|k|${ZEROS})${ENDS}`, 'iu'],
  [`${BEGINS}e[nm]\\s+(?<unit>miles|mil)${ENDS}`, 'iu'],
  [`[([]\\s*(?<unit>${ZEROS}|m|mn|bn|k)\\s*[)\\]]`, 'iu'],
  [`(?<!\\p{Nd})(?<unit>['’‘]000s?)${ENDS}`, 'iu'],
  [`${BEGINS}(?:[x×*]\\s?)?(?<unit>10(?:\\^(?:12|[369])|[³⁶⁹]|¹²))${ENDS}`, 'iu'],
  [`${BEGINS}i\\s+(?<unit>1[. ]?000)\\s?kr(?:oner|onor)?${ENDS}`, 'iu'],
  [`(?<![\\p{L}\\p{Nd}])R\\$\\s*\\(?(?<unit>[mb]i)${ENDS}`, 'iu'],
  [`${BEGINS}(?:[x×*]|multipl\\p{L}+ (?:by|with))\\s?(?<unit>1[,. ]?000(?:[,. ]?000)?)${ENDS}`, 'iu'],
  [
    `${BEGINS}(?:in|units of)\\s+(?<unit>1[,. ]?000(?:[,. ]?000)?s?)(?=\\s*(?:$|[)\\],;]|${ANY_CODE}|${LOCAL}|(?:[Ee]uros?|[Dd]ollars?|[Pp]ounds?)${ENDS}))`,
    'u',
  ],
  [`(?:^|[([,]|\\b[Uu]nits?:?)\\s*(?:${ANY_CODE}|${SIGN})\\s*(?<unit>1[,. ]?000s?)\\s*(?:$|[)\\],])`, 'u'],
  [`(?<![\\p{L}\\p{N}.,]|\\d\\s)(?<unit>000s?)\\s?(?:${ANY_CODE}|${SIGN})${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mk]|bn)(?:${ANY_CODE})${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>M|K|T)(?=(?:${ANY_CODE}|€)${ENDS})`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>T)(?=\\s(?:EUR|CHF|€)${ENDS})`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>t)(?=(?:SEK|NOK|DKK|ISK|EUR|CHF)${ENDS})`, 'u'],
  [
    `${NO_NUMBER}${BEGINS}(?<unit>[mMkK]|mn|mm|MM|[Mm]ill?\\.?|[Mm]ds?|bn|tis\\.?|tys)\\s?(?:${ANY_CODE}|${SIGN}|zł|Kč)${ENDS}`,
    'u',
  ],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mMtT]|[mM]d|[mM]n|[mM]ia\\.?|[mM]ill?\\.?)\\s?kr${ENDS}`, 'u'],
  [`(?:\\bINR|₹|${BEGINS}Rs\\.?)\\s*\\(?(?<unit>cr\\.?)${ENDS}`, 'iu'],
  [
    `${NO_NUMBER}(?<![每毎])(?<unit>[十百千][万萬億亿]|[千万萬億亿兆]|[십백천][만억]|[천만억조])(?:\\s?(?:[円元圓圆원명]|人(?!口?(?:当|あた))|ドル|달러|ユーロ|유로|[美港欧歐]元))`,
    'u',
  ],
  [
    `${NO_NUMBER}(?<unit>(?:ล้าน|แสน|หมื่น|พัน|ร้อย|สิบ)?ล้าน|แสน|หมื่น|พัน)\\s?(?:บาท|(?:ดอลลาร์|เหรียญ)(?:สหรัฐ)?|ยูโร|คน|เยน|หยวน|ปอนด์|รูปี|THB|USD|EUR)`,
    'u',
  ],
  [`(?:หน่วย\\s*:?\\s*|[([]\\s*)(?<unit>(?:ล้าน|แสน|หมื่น|พัน)?ล้าน|แสน|หมื่น|พัน)\\s*(?:[)\\]]|$)`, 'u'],
  [
    `${NO_NUMBER}${BEGINS}(?<unit>ng(?:hì|à)n t[ỷỉ]|trăm triệu|nghìn|ngàn|triệu|t[ỷỉ])(?:\\s*(?:(?:đồng|đô|người)${ENDS}|₫)|(?=\\s*(?:$|[)\\],;:]|(?:VN[DĐ]|USD|EUR|euro)${ENDS})))`,
    'iu',
  ],
  [`${NO_NUMBER}${BEGINS}(?<unit>bin)(?=\\s(?:TL|TRY|₺|Türk|lira|USD|EUR|dolar|avro|kişi))`, 'iu'],
];

/**
 * Matches ASCII, accented letters of Latin-1 and some punctuation. The two cheap tests below are made for such texts alone:
 * elsewhere, the long s and ß are ASCII letters in another case, and the ł of zł is part of a unit.
 */
const PLAIN = /^[\s -~À-ÖØ-Þà-öø-ÿ–—…’“”]*$/;

/** A cheap test before the patterns: matches every plain text that one of them matches without a currency code. */
const MAY_STATE =
  /thousand|mil|billion|bil[jlh]|bln|tuh|hiljad|ezer|mii|mm?d[pd]|mlrd|trill?i|mi[oa]|mln|mld|mrd|migliaia|tsd|ths|tausend|duizend|tusen|tusind|tysi|ribu|juta|nghìn|ngàn|bin\s|þús|t[iy]s|la[ck]|crore|(?:in|e[nm])\s+(?:hundreds|mn?|mm|bn|k|1|['’]?000)|units of\s+1|[([]\s*(?:mn?|bn|k|000)|['’]000|[x*]\s?1|multipl|10\^|kr|(?<![a-zà-öø-ÿ\d])rs|fr\.|\$/i;

/**
 * Cheap tests before the patterns: they match every other plain text that one of them matches, with any three letters in
 * place of a currency code. They do not match `gdp_usd`.
 */
const MAY_FOLLOW_CODE = new RegExp(
  `\\b(?=([a-z]{3})\\s*\\(?(?:(?:${SHORT}|cr|b|bil)(?![a-z\\d])|[,.]?['’]?000|1[,. ]?000))`,
  'gi',
);
const MAY_PRECEDE_CODE = /(?<![a-z\d])(?:bn|mn|mm|mds?|[mkt]|000s?)\s?([a-z]{3})(?![a-z\d])/gi;

/** Whether a currency may stand where the patterns ask for one: `USD m`, `USDm`, `mUSD`, `TEUR`, `mdsEUR`. */
const standsBesideCurrency = (text: string): boolean =>
  [MAY_FOLLOW_CODE, MAY_PRECEDE_CODE].some(
    (pattern) =>
      text.search(pattern) >= 0 &&
      [...text.matchAll(pattern)].some(([, code = '']) => CURRENCIES.has(code.toUpperCase())),
  );
