// Finds names that contain a typed text, ignoring accents and case.

/** A text in lower case without accents, so that `Türkiye` is found by `turkiye`. */
export const foldCaseAndAccents = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The values whose names contain the typed text. Names that begin with it come first, and those in `last` come last. */
export function searchValues(
  values: readonly string[],
  typed: string,
  nameOf: (value: string) => string,
  listedLast: ReadonlySet<string>,
): string[] {
  const wanted = foldCaseAndAccents(typed.trim());
  const places = values.flatMap((value) => {
    const name = foldCaseAndAccents(nameOf(value));
    const index = name.indexOf(wanted);
    return index < 0
      ? []
      : [{ value, rank: (listedLast.has(value) ? 2 : 0) + (wanted !== '' && index > 0 ? 1 : 0) }];
  });
  return places.sort((a, b) => a.rank - b.rank).map(({ value }) => value);
}
