// Recognises the names and codes of one country: `Turkey`, `TR` and `TUR` are `Türkiye`.

import { once } from '../../src/basics/once.ts';
import { looseKey } from './spelling.ts';

/**
 * A key that is equal for all English names and all codes of a country. The key of an unknown name is made of its spelling.
 */
export function countryKey(country: string): string {
  const name = nameKey(nameOfCode(country) ?? country);
  return usualNames().get(name) ?? name;
}

/** A key like `countryKey`, also for names in other languages: `España` is `Spain`. */
export function countryKeyOfAnyLanguage(country: string): string {
  const key = countryKey(country);
  if (englishKeys().has(key)) return key;
  const code = codesOfForeignNames().get(looseKey(country)) ?? undefined;
  return code === undefined ? key : countryKey(regionNames().of(code) ?? country);
}

/** Whether a text is the name of a country, in any language, or its code. */
export const isCountryName = (text: string): boolean => englishKeys().has(countryKeyOfAnyLanguage(text));

/**
 * The country of `known` for a name in another language, such as `España`, for another name, such as `Holland`, or for a
 * code or initials, such as `GBR` or `U.A.E.`; undefined for other texts.
 */
export function countryOfOtherName(text: string, known: Iterable<string>): string | undefined {
  const countries = [...known];
  const key = countryKeyOfAnyLanguage(text);
  const letters = text.replace(/[.\s]+/gu, '').toUpperCase();
  return (
    countries.find((country) => countryKey(country) === key) ??
    (/^[A-Z]{2,3}$/.test(letters) ? countries.find((country) => areInitials(letters, country)) : undefined)
  );
}

function areInitials(letters: string, country: string): boolean {
  const initials = country.replace(/(?<=\p{L})\p{Ll}+|[^\p{L}]+/gu, '');
  return /\s/.test(country) && [initials, `${initials}A`].includes(letters);
}

/** The key of a spelling. It ignores `The`, and reads `St.` as `Saint`. */
const nameKey = (name: string): string =>
  looseKey(name.replace(/\bSt\.? /gu, 'Saint ').replace(/^The |,? \(?The\)?$/iu, ''));

/** The name of the country with this code of two or three capital letters; undefined for other texts. */
function nameOfCode(text: string): string | undefined {
  const letters = text.replaceAll('.', '');
  if (!/^[A-Z]{2,3}$/.test(letters)) return undefined;
  const code = letters.length === 3 ? codes().get(letters) : letters;
  if (code === undefined || FORMER_CODES.has(code)) return undefined;
  return code === 'EL' ? 'Greece' : regionNames().of(code);
}

/** Codes of former countries. They are not recognised, because Intl gives them the name of one of the successors. */
const FORMER_CODES: ReadonlySet<string> = new Set(['AN', 'BU', 'CS', 'DD', 'SU', 'TP', 'YD', 'YU', 'ZR']);

/** The names of countries by code, made at the first use: that takes 10 ms, and few runs need them. */
const regionNames = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }));

const englishKeys = once(
  (): ReadonlySet<string> =>
    new Set([...usualNames().values(), ...[...codes().values()].map((code) => countryKey(code))]),
);

/** Maps the key of each other name in `NAMES` to the key of the usual name. */
const usualNames = once(
  (): ReadonlyMap<string, string> =>
    new Map(NAMES.flatMap(([usual, ...others]) => others.map((other) => [nameKey(other), nameKey(usual)]))),
);

/** Countries with several names: the usual one first, then those of statistical offices, of Intl, and former ones. */
const NAMES: readonly (readonly [usual: string, ...others: string[]])[] = [
  ['Bolivia', 'Bolivia (Plurinational State of)', 'Bolivia, Plurinational State of'],
  ['Brunei', 'Brunei Darussalam'],
  ['Cabo Verde', 'Cape Verde'],
  [
    'Congo, Democratic Republic of',
    'Congo (Kinshasa)',
    'Congo - Kinshasa',
    'Congo, Dem. Rep.',
    'DR Congo',
    'DRC',
  ],
  ['Congo, Democratic Republic of', 'Congo, Democratic Republic of the', 'Democratic Republic of the Congo'],
  [
    'Congo, Republic of',
    'Congo (Brazzaville)',
    'Congo - Brazzaville',
    'Congo, Rep.',
    'Republic of the Congo',
  ],
  ["Côte d'Ivoire", 'Ivory Coast'],
  ['Czechia', 'Czech Republic'],
  ['Egypt', 'Egypt, Arab Rep.'],
  ['Eswatini', 'Swaziland'],
  ['Gambia', 'Gambia, Republic of The'],
  ['Hong Kong', 'Hong Kong SAR', 'Hong Kong SAR China', 'Hong Kong SAR, China', 'China, Hong Kong SAR'],
  ['Iran', 'Iran (Islamic Republic of)', 'Iran, Islamic Republic of', 'Iran, Islamic Rep.'],
  ['Ireland', 'Republic of Ireland', 'Eire'],
  ['Kyrgyzstan', 'Kyrgyz Republic'],
  ['Laos', 'Lao PDR', "Lao People's Democratic Republic"],
  ['Macau', 'Macao', 'Macao SAR', 'Macau SAR', 'Macao SAR China', 'Macao SAR, China', 'China, Macao SAR'],
  ['Micronesia', 'Micronesia, Fed. Sts.', 'Micronesia (Federated States of)'],
  ['Moldova', 'Republic of Moldova', 'Moldova, Republic of'],
  ['Myanmar', 'Burma', 'Myanmar (Burma)'],
  ['Netherlands', 'Holland', 'Netherlands, Kingdom of the'],
  ['North Korea', "Korea, Dem. People's Rep.", "Democratic People's Republic of Korea"],
  ['North Macedonia', 'Macedonia', 'FYR Macedonia', 'FYROM', 'Macedonia, FYR', 'Republic of North Macedonia'],
  ['Palestine', 'Palestinian Territories', 'State of Palestine', 'West Bank and Gaza'],
  ['Russia', 'Russian Federation'],
  ['Saint Vincent and the Grenadines', 'Saint Vincent and Grenadines'],
  ['Serbia', 'Republic of Serbia'],
  ['Slovakia', 'Slovak Republic'],
  ['South Korea', 'Korea', 'Korea, Rep.', 'Korea, Republic of', 'Republic of Korea', 'Korea (South)'],
  ['Syria', 'Syrian Arab Republic'],
  ['Taiwan', 'Chinese Taipei', 'Taiwan, China', 'Taiwan, Province of China', 'Taiwan Province of China'],
  ['Tanzania', 'United Republic of Tanzania', 'Tanzania, United Republic of'],
  ['Timor-Leste', 'East Timor'],
  ['Türkiye', 'Turkey'],
  ['United Arab Emirates', 'UAE'],
  ['United Kingdom', 'Great Britain', 'Britain', 'Great Britain and Northern Ireland'],
  ['United Kingdom', 'United Kingdom of Great Britain and Northern Ireland'],
  ['United States', 'United States of America'],
  ['Vatican City', 'Holy See'],
  ['Venezuela', 'Venezuela, RB', 'Venezuela (Bolivarian Republic of)', 'Venezuela, Bolivarian Republic of'],
  ['Vietnam', 'Viet Nam'],
  ['Yemen', 'Yemen, Rep.'],
];

/** The two-letter codes by three-letter code. */
const codes = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      ALPHA_3.trim()
        .split(/\s+/)
        .map((pair) => [pair.slice(0, 3), pair.slice(3)] as const),
    ),
);

/** Three-letter codes (ISO 3166-1), each directly followed by the two-letter code. */
const ALPHA_3 = `
  AFGAF ALBAL DZADZ ANDAD AGOAO ATGAG ARGAR ARMAM ABWAW AUSAU AUTAT AZEAZ BHSBS BHRBH BGDBD BRBBB BLRBY BELBE BLZBZ BENBJ
  BMUBM BTNBT BOLBO BIHBA BWABW BRABR BRNBN BGRBG BFABF BDIBI CPVCV KHMKH CMRCM CANCA CYMKY CAFCF TCDTD CHLCL CHNCN COLCO
  COMKM CODCD COGCG CRICR HRVHR CUBCU CUWCW CYPCY CZECZ CIVCI DNKDK DJIDJ DMADM DOMDO ECUEC EGYEG SLVSV GNQGQ ERIER ESTEE
  SWZSZ ETHET FJIFJ FROFO FINFI FRAFR GABGA GMBGM GEOGE DEUDE GHAGH GIBGI GRCGR GRLGL GRDGD GTMGT GGYGG GINGN GNBGW GUYGY
  HTIHT HNDHN HKGHK HUNHU ISLIS INDIN IDNID IRNIR IRQIQ IRLIE IMNIM ISRIL ITAIT JAMJM JPNJP JEYJE JORJO KAZKZ KENKE KWTKW
  KGZKG LAOLA LVALV LBNLB LSOLS LBRLR LBYLY LIELI LTULT LUXLU MACMO MDGMG MWIMW MYSMY MDVMV MLIML MLTMT MRTMR MUSMU MEXMX
  MDAMD MCOMC MNGMN MNEME MARMA MOZMZ MMRMM NAMNA NPLNP NLDNL NZLNZ NICNI NERNE NGANG PRKKP MKDMK NORNO OMNOM PAKPK PANPA
  PNGPG PRYPY PERPE PHLPH POLPL PRTPT PRIPR PSEPS QATQA ROURO RUSRU RWARW KNAKN LCALC VCTVC WSMWS SMRSM SAUSA SENSN SRBRS
  SYCSC SLESL SGPSG SVKSK SVNSI SLBSB SOMSO ZAFZA KORKR SSDSS ESPES LKALK SDNSD SURSR SXMSX SWESE CHECH SYRSY STPST TWNTW
  TJKTJ TZATZ THATH TLSTL TGOTG TONTO TTOTT TUNTN TURTR TKMTM UGAUG UKRUA AREAE GBRGB USAUS URYUY UZBUZ VUTVU VENVE VNMVN
  YEMYE ZMBZM ZWEZW XKXXK
`;

/**
 * The two-letter codes by the loose keys of names in the languages of ICU: `España` and `Espagne` are `Spain`. Null for a
 * name that languages give to several countries, such as `Kongo`. Making them takes 150 ms.
 */
const codesOfForeignNames = once((): ReadonlyMap<string, string | null> => {
  const countries = [...codes().values()];
  const found = new Map<string, string | null>();
  for (const language of languages()) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of countries) {
      const key = looseKey(names.of(code) ?? '');
      if (key !== '') found.set(key, found.has(key) && found.get(key) !== code ? null : code);
    }
  }
  return found;
});

/** The languages with a two-letter code that ICU has, and Chinese in its traditional script. */
function languages(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return Intl.DisplayNames.supportedLocalesOf([...pairs, 'zh-Hant']);
}
