// Knows the names of countries in other languages than English: `España` and `Espagne` are `Spain`.

import { looseKey } from './spelling.ts';

/**
 * The two-letter code of the country with this name in one of the languages of ICU. It is undefined for other texts, and for names
 * that languages give to several countries, such as `Kongo`.
 *
 * @param codes The two-letter codes of all countries.
 */
export function codeOfForeignName(text: string, codes: Iterable<string>): string | undefined {
  madeCodes ??= codesByName(codes);
  return madeCodes.get(looseKey(text)) ?? undefined;
}

let madeCodes: ReadonlyMap<string, string | null> | undefined;

/** The codes by the loose keys of names, null for a name of several countries. Making them takes 150 ms. */
function codesByName(codes: Iterable<string>): ReadonlyMap<string, string | null> {
  const countries = [...codes];
  const found = new Map<string, string | null>();
  for (const language of languages()) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of countries) {
      const key = looseKey(names.of(code) ?? '');
      if (key !== '')
        found.set(key, (found.get(key) ?? code) === code && found.get(key) !== null ? code : null);
    }
  }
  return found;
}

/** The languages with a two-letter code that ICU has, and Chinese in its traditional script. */
function languages(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return Intl.DisplayNames.supportedLocalesOf([...pairs, 'zh-Hant']);
}
