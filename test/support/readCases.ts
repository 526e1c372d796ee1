// Reads many cases as the files of one month, and returns the problems of each, which is faster than a month for each case.

import { type GivenOptions, readingOptions } from '../../ingest/staging/readingOptions.ts';
import { aMonth, type Content } from './month.ts';
import type { Row } from './snapshot.ts';

/**
 * A file of ggr. Its rows must have the values of `own`, so that no check compares rows of different cases. `scale` is the
 * option --scale for this file, such as `ggr=1e3`.
 */
export type Case = readonly [
  file: string,
  content: (own: Row) => Content | Promise<Content>,
  scale?: string | undefined,
];

/** The outcome for the file of a case. */
export interface CaseResult {
  /** The problems of the file, which name it as the case does. */
  readonly problems: readonly string[];
  /** The figures that were read from the file. */
  readonly figures: readonly unknown[];
}

/**
 * Reads the cases. Files called `ggr.csv` become `ggr-A.csv`, `ggr-B.csv` … in the month. Problems without a file are left
 * out.
 */
export async function readCases(
  cases: readonly Case[],
  given: GivenOptions = {},
): Promise<readonly CaseResult[]> {
  const letters = cases.map((_, i) => String.fromCharCode(65 + (i % 26)).repeat(1 + Math.floor(i / 26)));
  const named = (file: string, letter: string) => file.replace(/(?=\.\w+$)/, `-${letter}`);
  // The names are long, because a check warns of short ones: they look like one series under two names.
  const own = letters.map((letter) => letter.repeat(9));
  const files: Record<string, Content> = {};
  const scales = [...(given.scale ?? [])];
  for (const [i, [file, content, scale]] of cases.entries()) {
    const name = named(file, letters[i] ?? '');
    files[name] = await content({ sub_channel: own[i] ?? '' });
    if (scale !== undefined) scales.push(`${name}=${scale}`);
  }
  const month = await aMonth(files);
  try {
    const { problems, rows } = await month.read('ggr', {
      reading: readingOptions({ ...given, scale: scales }),
    });
    return cases.map(([file], i) => {
      const name = named(file, letters[i] ?? '');
      return {
        problems: problems.filter((text) => text.includes(name)).map((text) => text.replaceAll(name, file)),
        figures: rows.filter((row) => row.sub_channel === own[i]).map(({ ggr }) => ggr),
      };
    });
  } finally {
    await month.remove();
  }
}

/** The problems of each of these files called ggr.xlsx. A file may come with its value of --scale. */
export const problemsOfBooks = async (
  ...books: readonly (readonly [content: Case[1], scale?: string])[]
): Promise<readonly (readonly string[])[]> =>
  (await readCases(books.map(([content, scale]) => ['ggr.xlsx', content, scale]))).map(
    ({ problems }) => problems,
  );
