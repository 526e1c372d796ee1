// Lists the units of amounts: the words for thousands, millions and billions in many languages, and the factor of each.

export interface Unit {
  /** The English name of the unit, such as `thousands` or `lakhs (100,000)`. */
  readonly word: string;
  /** The factor by which an amount in this unit must be multiplied: `1e6`. */
  readonly factor: string;
  /** The second factor of an ambiguous name, such as `mil`. */
  readonly otherFactor?: string;
}

/** The unit with this name, in any of the languages; undefined when there is none. */
export function unitNamed(word: string): Unit | undefined {
  return UNITS.find(([words]) => words.test(word))?.[1];
}

const unit = (word: string, factor: string): Unit => ({ word, factor });

/** The unit `T` beside a number without a currency. */
export const THOUSANDS_OR_TRILLIONS: Unit = {
  word: 'thousands or trillions',
  factor: '1e3',
  otherFactor: '1e12',
};

/** The names of each unit, in the languages of published statistics. */
export const UNITS: readonly (readonly [words: RegExp, unit: Unit])[] = [
  [/^hundreds$/i, unit('hundreds', '1e2')],
  [/^thousand millions?$/i, unit('billions', '1e9')],
  [
    /^(?:thousands?|thous?\.?|thsds?\.?|ths\.?|tsd\.?|tausend|milliers|miles|mila|migliaia|milhares|duizend(?:en)?|tusen|t[iy]s\.?|tysięcy|тыс\.?|тысяч\p{L}*|tuhat|tuh\.?|tuhandetes|tuhansina|tūkst\.?|migl\.|eft|hiljad\p{L}*|ezer|mii|χιλ\.?|χιλιάδ\p{L}*|[kt]|['’‘]?000(?:['’]?s)?|[.,' ’]?000s?|1[,. ]?000s?|10(?:\^3|³)|千|천|พัน|हज\u093c?ार|ribu(?:an)?|nghìn|ngàn|bin|milers|tusinde?r?|tuhatta|tis[íuo][cčć]\p{L}*|tysi[ąa]c\p{L}*|þús\.?|тис\.?|тисяч\p{L}*|хил\.?|хиляд\p{L}*|хиљад\p{L}*|илјад\p{L}*|мың|мян\.|мянган|ათას\p{L}*|հազար|ming|min|[בהלמוכ]?(?:אלפים?|אל?ש["״]ח)|אלף|(?:ب?ال|[بو])?(?:[آأا]لاف|ألف)|هزار)$/iu,
    unit('thousands', '1e3'),
  ],
  [/^(?:ten thousands?|[万萬만]|หมื่น)$/i, unit('ten thousands', '1e4')],
  [/^(?:hundred thousands?|lakhs?|lacs?|लाख)$/i, unit('lakhs (100,000)', '1e5')],
  [/^(?:十[万萬]|십만|แสน)$/, unit('hundred thousands', '1e5')],
  [/^mil(?:h?\.)?$/i, { word: 'thousands or millions', factor: '1e6', otherFactor: '1e3' }],
  [
    /^(?:millions?|millionen|millones|milioni|milhões|milhoes|miljoen|miljoner|milyon|millió|milioane|mio\.?|mill\.?|mln\.?|milj\.?|mn|mm|mi|m|млн\.?|миллион\p{L}*|milijun\p{L}*|md[pd]|εκατ\.?|εκατομμ\p{L}*|1[,. ]?000[,. ]?000|10(?:\^6|⁶)|百[万萬]|백만|ล้าน|juta(?:an)?|triệu|milions|millioner|mili[oó]n\p{L}*|mili?joo?n\p{L}*|millj\.?|milljón\p{L}*|мільйон\p{L}*|милион\p{L}*|сая|მლნ|მილიონ\p{L}*|մլն|միլիոն|mft|m\.|[בהלמוכ]?(?:מי?לי(?:ון|ונים?)|מל?ש["״]ח)|(?:ب?ال|[بو])?(?:مليون|ملايين)|میلیون)$/iu,
    unit('millions', '1e6'),
  ],
  [/^(?:crores?|cr\.?|करोड\u093c)$/i, unit('crores (10,000,000)', '1e7')],
  [/^(?:千[万萬]|천만|สิบล้าน)$/, unit('ten millions', '1e7')],
  [/^(?:hundred millions?|[億亿억]|ร้อยล้าน|trăm triệu)$/i, unit('hundred millions', '1e8')],
  [
    /^(?:billions?|bilhões|bilhoes|bil\.?|bln\.?|milliards?|milliarden|miliardi|miljard|miljarder|milyar|ml?rd\.?|mld\.?|mds?|mia\.?|bi|bn?|млрд\.?|миллиард\p{L}*|mmd[pd]|δισ\.?|δισεκατομμ\p{L}*|10(?:\^9|⁹)|十[億亿]|십억|พันล้าน|mil[iy]ar(?:an)?|t[ỷỉ]|milliarder|milliárd|mili?[jy]?ard\p{L}*|milljarð\p{L}*|мільярд\p{L}*|милиард\p{L}*|тэрбум|მლრდ|მილიარდ\p{L}*|մլրդ|միլիարդ|[בהלמוכ]?מיליארדי?ם?|(?:ب?ال|[بو])?(?:مليارات|مليار|بليون|بلايين)|میلیارد)$/iu,
    unit('billions', '1e9'),
  ],
  [/^(?:百[億亿]|백억|หมื่นล้าน)$/, unit('ten billions', '1e10')],
  [/^(?:千[億亿]|천억|แสนล้าน)$/, unit('hundred billions', '1e11')],
  [
    /^(?:trillions?|billones|billionen|biljoen|biljoner|bio\.?|trn?|tn|10(?:\^12|¹²)|[兆조]|ล้านล้าน|triliun(?:an)?|ng(?:hì|à)n t[ỷỉ]|[בהלמוכ]?טריליון|(?:ب?ال|[بو])?تري?ليون|تریلیون)$/iu,
    unit('trillions', '1e12'),
  ],
];
