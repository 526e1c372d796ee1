// The headings of a sheet: a dataset's columns as people spell them.

export interface Heading {
  readonly text: string;
  /** The column of the dataset below it. */
  readonly column: string;
  /** The number format of its cells. */
  readonly format?: string;
}

/** Headings for columns, spelled one way; `formats` are number formats by column. */
export function headings(
  columns: readonly string[],
  spelled: (column: string) => string,
  formats: Readonly<Record<string, string>> = {},
): readonly Heading[] {
  return columns.map((column) => {
    const format = formats[column];
    return { text: spelled(column), column, ...(format === undefined ? {} : { format }) };
  });
}

const ABBREVIATIONS: readonly string[] = ['fx', 'ggr', 'usd', 'eur'];

/** `fx_local_currency` → `FX local currency`. */
export function sentence(column: string): string {
  const words = column.split('_').map((word) => (ABBREVIATIONS.includes(word) ? word.toUpperCase() : word));
  return capital(words.join(' '));
}

/** `sub_channel` → `Sub Channel`. */
export function capitalised(column: string): string {
  return sentence(column).split(' ').map(capital).join(' ');
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
