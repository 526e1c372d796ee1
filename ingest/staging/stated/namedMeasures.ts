// Warns of titles and of names of sheets and files which say that the figures of ggr or turnover are another measure.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { type Origin, wholeFile, wholeTable } from '../../messages/place.ts';
import { datasetNamedBy } from '../../sources/folder.ts';
import type { PlacedText } from './titleTexts.ts';

/** The warning about a title or a name that names another measure than that of its dataset; null for any other text. */
export function namedMeasureFault(dataset: DatasetName, { text, shown }: PlacedText): Diagnostic | null {
  const own = OWN[dataset];
  if (own === undefined || text.length > LONGEST_TITLE || own.pattern.test(text)) return null;
  const measure = MEASURES.find(({ pattern }) => pattern.test(text))?.what ?? own.what;
  if (measure === own.what) return null;
  return {
    problem: `${shown} says that the figures are ${measure}, and they were read as ${dataset}`,
    remedy: `put the figures of ${dataset} in their place; if the text is about other figures, reword or move it`,
    kind: `figures of ${measure} in place of ${dataset}`,
  };
}

/** The name of the sheet and that of the file, as far as they may name a measure. */
export function namesOf(dataset: DatasetName, origin: Origin): readonly PlacedText[] {
  const { file, sheet } = origin;
  // `readFile.ts` and `readTable.ts` report a sheet that is named after another dataset, unless its headings show that it
  // holds this one.
  const isDataset = datasetNamedBy(sheet ?? '') !== null;
  const name = isDataset ? '' : wordsOf(sheet ?? '');
  const ofSheet = { text: name, shown: 'the name of this sheet', place: wholeTable(origin) };
  // The name of a file begins with its dataset, which says nothing of the figures: `ggr-ngr.xlsx`.
  const ownName = new RegExp(`^${dataset}\\b`, 'i');
  const ofFile = {
    text: wordsOf(file.replace(/\.\w+$/, '')).replace(ownName, ''),
    shown: 'the name of this file',
    place: wholeFile(file),
  };
  return [ofSheet, ofFile];
}

const wordsOf = (name: string): string => name.replace(/[-_.]+/g, ' ').trim();

/** The most characters of a title. A longer text is a note, which may mention other measures. */
const LONGEST_TITLE = 60;

/**
 * The pattern of a title that begins with the measure. `Turnover tax` is about a tax, and `Operators with a turnover of 1
 * m` about operators, so only adjectives may stand before a measure, and only a preposition, a sign or a number behind it.
 */
const titleOf = (measure: string): RegExp =>
  new RegExp(
    String.raw`^\s*(?:${ADJECTIVES}\s+){0,3}(?:${measure})(?:\s*$|\s*[,;:(|/\d–—-]|\s+${BEHIND}\s)`,
    'iu',
  );

const ADJECTIVES =
  "(?:total|gross|annual|all|online|land-based|licensed|sports?|betting|gaming|gambling|lottery|casino|players?[’']?|customers?[’']?)";
const BEHIND = '(?:by|of|in|on|for|from|per|and|nach|von|par|de|por)';

const TURNOVER = 'turnover';
const GGR = 'gross gaming revenue';

const MEASURES: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'net gaming revenue',
    pattern:
      /\bNG[RY]\b|\bnet (?:gaming|gambling|betting) (?:revenues?|yield)\b|\bnetto(?:spiel|wett)ertr[aä]ge?\b/i,
  },
  {
    what: TURNOVER,
    pattern: titleOf(
      'turnover|handle|stakes|wagers|amounts? (?:wagered|staked|bet)|bets placed|(?:spiel|wett)eins[äa]tze|mises|raccolta|cantidades jugadas',
    ),
  },
  {
    what: GGR,
    pattern: titleOf('GG[RY]|gross (?:gaming|gambling) (?:revenues?|yield)|bruttospielertr[aä]ge?'),
  },
  { what: 'taxes', pattern: titleOf('tax(?:es)?|duty|duties|levies|steuern|abgaben') },
  { what: 'winnings', pattern: titleOf('winnings|payouts?|prizes(?: paid)?|gewinne') },
  { what: 'profits', pattern: titleOf('EBITDA|EBIT|(?:operating|net) profits?|net income') },
  { what: 'counts', pattern: /^\s*(?:number|no\.) of\b/i },
];

/**
 * The measure of each dataset, and words for it. A text with such a word gets no warning, even if it also names another
 * measure.
 */
const OWN: Partial<Readonly<Record<DatasetName, { readonly what: string; readonly pattern: RegExp }>>> = {
  ggr: { what: GGR, pattern: /\bGG[RY]\b|\bgross (?:gaming|gambling|win)\b|\bbruttospielertr/i },
  turnover: { what: TURNOVER, pattern: /\bturnover\b|\bhandle\b|\bstakes\b|\bwagers\b|eins[äa]tze\b/i },
};
