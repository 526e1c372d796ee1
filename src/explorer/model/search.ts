// Finds names by what is typed, whatever the accents and the case; estimates for the rest of a region come last.

export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The values whose name has the typed text: those that begin with it first. */
export function found(values: readonly string[], typed: string, nameOf: (value: string) => string): string[] {
  const wanted = plain(typed.trim());
  const places = values.flatMap((value) => {
    const name = plain(nameOf(value));
    const at = name.indexOf(wanted);
    return at < 0 ? [] : [{ value, rank: (isRest(value) ? 2 : 0) + (wanted !== '' && at > 0 ? 1 : 0) }];
  });
  return places.sort((a, b) => a.rank - b.rank).map(({ value }) => value);
}

/** An amalgamated country, by its name: what stands after all tracked ones. */
const isRest = (value: string): boolean => value.startsWith('Rest of ');
