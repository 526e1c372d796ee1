// Makes the patterns of units in texts: `millions` is a unit anywhere, `m` only beside a currency.

import { once } from '../../src/basics/once.ts';
import { CURRENCY_CODES } from './currencyCodes.ts';

/** Words that are a unit in any text. */
const WORDS = [
  '(?:hundred|thousand) millions?|hundred thousands?',
  'ten thousands?',
  'thousands?|millions?|billions?|trillions?|lakhs?|lacs?|crores?',
  'tsd\\.?|tausend|millionen|mio\\.?|mln\\.?|ml?rd\\.?|milliarden|mld\\.?|bln\\.?',
  'milliers|milliards?|millones|milioni|miliardi|migliaia|milhares|milhões|milhoes|bilhões|bilhoes|miles(?= de )',
  'duizend(?:en)?|miljoen|miljard|billones|billionen|biljoen|biljoner|tusen|miljoner|miljarder|milj\\.|migl\\.|milh\\.|tys\\.|tysięcy|milyon|milyar|millió|milioane|ths\\.',
  'tuhat|tuhandetes|tuhansina|tuh\\.|tūkst\\.?|hiljad\\p{L}*|milijun\\p{L}*|ezer|mii(?= (?:de )?(?:lei|RON))|mm?d[pd]',
  'χιλ\\.?|χιλιάδ\\p{L}*|εκατ\\.?|εκατομμ\\p{L}*|δισ\\.?|δισεκατομμ\\p{L}*',
  'тыс\\.?|тысяч\\p{L}*|млн\\.?|миллион\\p{L}*|млрд\\.?|миллиард\\p{L}*',
  'тис\\.|тисяч\\p{L}*|мільйон\\p{L}*|мільярд\\p{L}*|хил\\.|хиляд\\p{L}*|милион\\p{L}*|милиард\\p{L}*|хиљад\\p{L}*|илјад\\p{L}*|мың',
  'ათას\\p{L}*|მლნ|მილიონ\\p{L}*|მლრდ|მილიარდ\\p{L}*|հազար|մլն|միլիոն|մլրդ|միլիարդ',
  '(?:мян\\.|мянган|сая|тэрбум)(?=\\s?төг)|ming(?= so.m)|min(?= manat)',
  'milers(?= d)|milions|tusinde?r?|millioner|milliarder|milliárd|þús\\.?|millj\\.|milljón(?:ir|a|um)?|milljarð(?:ar|a|ur)',
  'tisíc(?:e|ů|ov|ích|och)?|tisoč(?:ih)?|tisuć(?:a|e|u|ama)|tysi[ąa]c(?:e|ach)|mili[oó]n(?:y|ů|ów|ov|u|ech|och|ach|ima)?|miliard(?:y|ů|ów|e|ov|ách|ach)?',
  'milijon(?:ov|a|ų|u|ai|ih|ima)?|milijard(?:a|e|i|ų|u|ai|ah|ama)?|tuhatta|miljoona[ad]?|miljoonina|miljardia?|miljardeina|miljonit(?:es)?|miljardit(?:es)?|miljon(?:u|i|us)|miljard(?:u|i|us)',
  'ribu(?:an)?|juta(?:an)?|miliar(?:an)?|triliun(?:an)?',
  '[בהלמוכ]?(?:אלפים?(?! מנשה)|מי?לי(?:ון|ונים?)|מיליארדי?ם?|טריליון|(?:אל?|מל?)ש["״]ח)|אלף(?= (?:ש["״]ח|שקל|דולר|אירו|₪))',
  '(?:ب?ال|[بو])?(?:[آأا]لاف|ألف(?! ليلة)|مليون|ملايين|مليار(?:ات)?|بليون|بلايين|تري?ليون)|هزار|میلیون|میلیارد|تریلیون',
  'हज\\u093c?ार|लाख|करोड\\u093c',
].join('|');

/** Words that are a unit only beside a currency. */
const SHORT = 'thous?\\.?|thsds?\\.?|ths|tys|mill?\\.?|milj\\.?|mn|mm|m|mds?|mia\\.?|bio\\.?|bn|trn|tn|k';

/** Thousands as zeros: `000`, `'000s`. */
const ZEROS = "['’‘]?000(?:['’]?s)?";

const ANY_CODE = [...CURRENCY_CODES].join('|');

const SIGN = 'US\\$|[$€£¥₹₽₩₺₦₱₴₸₪₡₲₵₮₼₾]';

/** Signs of currencies, and abbreviations that are used like signs. */
const LOCAL = `${SIGN}|(?<![\\p{L}\\p{N}])(?:kr\\.?|zł|Kč|Fr\\.|Rs\\.?|RM|Rp|NIS|TL|[UKT]Sh)`;

/** Matches each code and each common sign of a currency. */
export const CURRENCY_WORD = new RegExp(`\\b(?:${ANY_CODE})\\b|${SIGN}`, 'g');

/** Matches a text that holds only a unit, or a unit and the sign of a currency. */
export const UNIT_ONLY = new RegExp(
  `^\\s*(?:(?:${SIGN})\\s*)?(?<unit>${WORDS}|${SHORT}|cr\\.?|mill?\\.|אלף|ألف|bin|[.,' ’]?000)(?:\\s*(?:${SIGN}))?\\s*$`,
  'iu',
);

/** Like `UNIT_ONLY`, for units that are valid only in capitals, such as `B`, and for units of Asian languages. */
export const UNIT_ONLY_IN_CAPITALS = new RegExp(
  `^\\s*(?:(?:${SIGN})\\s*)?(?<unit>B|T|[十百千][万萬億亿]|[千万萬億亿兆]|[십백천][만억]|[천만억조]|(?:ล้าน|แสน|หมื่น|พัน)?ล้าน|แสน|หมื่น|พัน)(?:\\s*(?:${SIGN}))?\\s*$`,
  'u',
);

const BEGINS = '(?<![\\p{L}\\p{Nd}])';
/** The end of a unit. A raised digit may follow, because it is the mark of a footnote. */
const ENDS = '(?![\\p{L}\\p{Nd}])';

/**
 * The patterns of a unit, the most reliable ones first. The group `unit` matches the name of the unit. They are compiled at
 * their first use, because that takes V8 20 ms.
 */
export const unitPatterns = once((): readonly RegExp[] =>
  PATTERNS.map(([source, flags]) => new RegExp(source, flags)),
);

/** Excludes words after a number: in `over 2 million adults`, `million` is part of an amount and states no unit. */
const NO_NUMBER = '(?<!\\p{Nd}[.,]?\\s*)';

/** Matches units of two words: `hundreds of thousands`, `miles de millones`. */
const COMPOUND =
  `${NO_NUMBER}(?<!\\b(?:one|two|three|a|few|half|several|over)\\s)${BEGINS}(?:` +
  '(?:(?<tens>tens|decenas|dizaines|dezenas|decine)|(?<hundreds>hundreds|cientos|centenares|centenas|centaines|centinaia))' +
  "\\s+(?:of|de|di|d['’])\\s*(?<first>thousands|miles|milhares|milliers|migliaia|millions|millones|milhões|milioni)|" +
  '(?:thousands?|mil|miles|milers|mila|milhares|milliers?|mille|migliaia|tausend|duizend(?:en)?|tusen|тыс\\.?|тысяч\\p{L}*|tys\\.?|tysięcy)' +
  "\\s+(?:(?:of|de|di|d['’])\\s*)?(?<second>millions?|millionen|mill?ones|milions|milioni|milhões|milhoes|miljoen|miljoner|mln\\.?|mio\\.?|млн\\.?|миллион\\p{L}*|milionów)" +
  `)${ENDS}`;

/** The pattern of a compound unit. The group `first` or `second` matches the word that is multiplied: `millones` above. */
export const compoundPattern = once(() => new RegExp(COMPOUND, 'iu'));

/** A thousand or a million in digits. */
const ONE_THOUSAND = '1[,. ]?000(?:[,. ]?000)?';

/**
 * When the unit is a number, a currency code must be in capitals: the `All` of `All 1000 venues` is not an Albanian lek.
 */
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
  [`(?<!\\p{Nd}\\s?)${BEGINS}[xX×*]\\s?(?:${ANY_CODE}|${SIGN})\\s?(?<unit>${ONE_THOUSAND})${ENDS}`, 'u'],
  [`^\\s*[([]?\\s*(?<unit>1[. ]?000)\\s?(?:${ANY_CODE}|${SIGN}|[Ee]uroa?|kr\\.?)(?=\\s*(?:$|[)\\],;]))`, 'u'],
  [`${BEGINS}in\\s+(?:${ANY_CODE}|${SIGN})\\s?(?<unit>${ONE_THOUSAND})(?=\\s*(?:$|[)\\],;]))`, 'u'],
  [`(?:\\b(?:${ANY_CODE}|[Ee]uro)|€)\\s?/\\s?(?<unit>1?000)(?=\\s*(?:$|[)\\],;]))`, 'u'],
  [`(?:${ANY_CODE}|${SIGN}),\\s?(?<unit>m|mn|mm|bn|k|000)${ENDS}`, 'u'],
  [`(?<![\\p{L}\\p{Nd}.,]|\\d\\s)(?<unit>000['’]?s?)(?=\\s+omitted|(?<=s)\\s*(?:$|[)\\],;]))`, 'iu'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[me]ft)${ENDS}`, 'iu'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[Mk]|Mds?)\\s(?:d['’]\\s?(?:€|EUR|euros)|F\\s?CFA)${ENDS}`, 'u'],
  [
    `${NO_NUMBER}${BEGINS}(?<unit>mill?\\.?|miles|mi(?=\\sR\\$))\\s(?:€|R\\$|(?:euros?|eur|lei)${ENDS})`,
    'iu',
  ],
  [
    `(?:(?<![\\p{L}\\p{Nd}])R(?:['’]\\s?|\\s)|(?:^|[([]|\\bin\\s)\\s*R)(?<unit>m|mil|bn)(?=\\s*(?:$|[)\\],;]))`,
    'u',
  ],
  [`${BEGINS}(?:[x×*]\\s?)?(?<unit>10(?:\\^(?:12|[369])|[³⁶⁹]|¹²))${ENDS}`, 'iu'],
  [`${BEGINS}i\\s+(?<unit>1[. ]?000)\\s?kr(?:oner|onor)?${ENDS}`, 'iu'],
  [`(?<![\\p{L}\\p{Nd}])R\\$\\s*\\(?(?<unit>[mb]i)${ENDS}`, 'iu'],
  [
    `${BEGINS}(?:[x×*]|(?:multipl\\p{L}+|divided) (?:by|with))\\s?(?<unit>1[,. ]?000(?:[,. ]?000)?)${ENDS}`,
    'iu',
  ],
  [
    `${BEGINS}(?:in|units of)\\s+(?<unit>1[,. ]?000(?:[,. ]?000)?s?)(?=\\s*(?:$|[)\\],;]|${ANY_CODE}|${LOCAL}|(?:[Ee]uros?|[Dd]ollars?|[Pp]ounds?)${ENDS}))`,
    'u',
  ],
  [`(?:^|[([,]|\\b[Uu]nits?:?)\\s*(?:${ANY_CODE}|${SIGN})\\s*(?<unit>1[,. ]?000s?)\\s*(?:$|[)\\],])`, 'u'],
  [`(?<![\\p{L}\\p{N}.,]|\\d\\s)(?<unit>000s?)\\s?(?:${ANY_CODE}|${SIGN}|TL)${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mk]|bn)(?:${ANY_CODE})${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>M|K|T)(?=(?:${ANY_CODE}|€)${ENDS})`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>T)(?=\\s(?:EUR|CHF|€)${ENDS})`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>t)(?=(?:SEK|NOK|DKK|ISK|EUR|CHF)${ENDS})`, 'u'],
  [
    `${NO_NUMBER}${BEGINS}(?<unit>[mMkK]|[mM][nN]|mm|MM|[Mm]ill?\\.?|[Mm]ds?|bn|tis\\.?|tys|ths|thous?\\.?|tuh)\\s?(?:${ANY_CODE}|${SIGN}|zł|Kč)${ENDS}`,
    'u',
  ],
  // `MTL` is the code of the Maltese lira.
  [`${NO_NUMBER}${BEGINS}(?<unit>[kKm]|M(?=\\s)|[mM][nN]|mm|MM|bn)\\s?(?:TL|RM|Rp|NIS)${ENDS}`, 'u'],
  [`${NO_NUMBER}${BEGINS}(?<unit>[mMtT]|[mM]d|[mM]\\.|[mM]n|[mM]ia\\.?|[mM]ill?\\.?)\\s?kr${ENDS}`, 'u'],
  [`(?:\\bINR|₹|${BEGINS}Rs\\.?)\\s*\\(?(?<unit>cr\\.?)${ENDS}`, 'iu'],
  [
    `${NO_NUMBER}(?<![每毎])(?<unit>[十百千][万萬億亿]|[千万萬億亿兆]|[십백천][만억]|[천만억조])(?:\\s?(?:[円元圓圆원명]|人(?!口?(?:当|あた))|ドル|달러|ユーロ|유로|(?:[美港欧歐澳加]|澳[门門])元))`,
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
 * Matches texts of ASCII, accented letters of Latin-1 and some punctuation. Only for these texts are the cheap tests below
 * right. In other texts, `ſ` (long s) counts as a case of `s`, and units may have further letters, such as the `ł` of `zł`.
 */
export const PLAIN_TEXT = /^[\s -~À-ÖØ-Þà-öø-ÿ–—…’“”]*$/;

/** A cheap test before the patterns. It matches every plain text that a pattern matches without a currency code. */
export const MAY_STATE =
  /thousand|mil|billion|bil[jlh]|bln|tuh|hiljad|ezer|mii|mm?d[pd]|mlrd|trill?i|mi[oa]|mln|mld|mrd|migliaia|tsd|ths|tausend|duizend|tusen|tusind|tysi|ribu|juta|nghìn|ngàn|bin\s|þús|t[iy]s|la[ck]|crore|(?:in|e[nm])\s+(?:hundreds|mn?|mm|bn|k|1|['’]?000)|units of\s+1|[([]\s*(?:mn?|bn|k|000)|(?<!\d)['’]000|[x*]\s?1|multipl|divided|10\^|kr|(?<![a-zà-öø-ÿ\d])(?:rs|rm|rp|nis|tl|[ukt]sh|[me]ft)|fr\.|\$|^\s*[([]?\s*1[. ]?000\s?[a-z]|\/\s?1?000|000['’]?s|000['’]?s?\s+omitted|[a-z],\s?(?:mn?|mm|bn|k|000)(?![a-z\d])|cfa|d['’]\s?eur|thous|milj|migl|milh|(?<![a-zà-öø-ÿ\d])r(?:['’]\s?|\s)(?:m|bn)|(?:^|[([]|in\s)\s*rbn|min\smanat|ming\sso|(?<![a-z\d])(?:[km]|mn|mm|bn)\s?(?:tl|rm|rp|nis)(?![a-z])/i;

/**
 * Cheap tests before the patterns. They match every plain text that a pattern matches with a currency code, but take any
 * three letters for a code. They do not match `gdp_usd`.
 */
const MAY_FOLLOW_CODE = new RegExp(
  `\\b(?=([a-z]{3})\\s*\\(?(?:(?:${SHORT}|cr|b|bil)(?![a-z\\d])|[,.]?['’]?000|1[,. ]?000))`,
  'gi',
);
const MAY_PRECEDE_CODE = /(?<![a-z\d])(?:bn|mn|mm|mds?|[mkt]|000s?|x)\s?([a-z]{3})(?![a-z\d])/gi;

/** Whether the text has a currency code where the patterns expect one: "USD m", "USDm", "mUSD", "TEUR", "mdsEUR". */
export const standsBesideCurrency = (text: string): boolean =>
  [MAY_FOLLOW_CODE, MAY_PRECEDE_CODE].some(
    (pattern) =>
      text.search(pattern) >= 0 &&
      [...text.matchAll(pattern)].some(([, code = '']) => CURRENCY_CODES.has(code.toUpperCase())),
  );
