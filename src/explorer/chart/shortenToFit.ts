// Cuts texts that are too wide for their place in a chart.

import { LABEL_SIZE } from './lineLayout.ts';
import { textWidth } from './textWidth.ts';

interface CutOptions {
  readonly size?: number;
  readonly weight?: number;
}

/**
 * The texts. A text that is too wide is cut and ends in an ellipsis. Texts that would then look the same are cut in the
 * middle, because their ends may tell them apart.
 */
export function shortenToFit(texts: readonly string[], width: number, options: CutOptions = {}): string[] {
  const fits = (text: string) => textWidth(text, options.size ?? LABEL_SIZE, options.weight) <= width;
  const short = texts.map((text) => cut(text, atEnd, fits));
  const isAmbiguous = (text: string, i: number) =>
    texts.some((other, j) => other !== text && short[j] === short[i]);
  return texts.map((text, i) => (isAmbiguous(text, i) ? cut(text, inMiddle, fits) : (short[i] ?? '')));
}

/** The text, or the longest cut of it that fits. */
function cut(
  text: string,
  cutTo: (characters: readonly string[], length: number) => string,
  fits: (text: string) => boolean,
): string {
  if (fits(text)) return text;
  // It is cut between code points, because half of a surrogate pair is not a character.
  const characters = [...text];
  let length = characters.length - 1;
  while (length > 1 && !fits(cutTo(characters, length))) length--;
  return cutTo(characters, length);
}

const atEnd = (characters: readonly string[], length: number): string =>
  `${characters.slice(0, length).join('').trimEnd()}…`;

function inMiddle(characters: readonly string[], length: number): string {
  const start = characters.slice(0, Math.ceil(length / 2)).join('');
  const end = characters.slice(characters.length - Math.floor(length / 2)).join('');
  return `${start.trimEnd()}…${end.trimStart()}`;
}
