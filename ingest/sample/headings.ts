// Spells the columns of a dataset as people write headings.

export interface Heading {
  readonly text: string;
  /** The column of the dataset below it. */
  readonly column: string;
  /** The number format of the cells below it. */
  readonly format?: string;
}

/** The headings of columns in one spelling. `formats` has number formats by the names of columns. */
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

/** The name of a column as a sentence: `fx_local_currency` gives `FX local currency`. */
export function sentence(column: string): string {
  const words = column.split('_').map((word) => (ABBREVIATIONS.includes(word) ? word.toUpperCase() : word));
  return capital(words.join(' '));
}

/** The name of a column in capitalised words: `sub_channel` gives `Sub Channel`. */
export function capitalised(column: string): string {
  return sentence(column).split(' ').map(capital).join(' ');
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
