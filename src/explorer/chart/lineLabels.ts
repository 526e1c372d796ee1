// Adds labels at the ends of lines and layers. Labels that would overlap are moved apart.

import { labelPositions } from '../model/labelPositions.ts';
import type { Series } from '../model/series.ts';
import { LABEL_SIZE, type Layout, type LineOptions } from './lineLayout.ts';
import { addText, seriesClass, svgElement } from './svgElements.ts';
import { textWidth } from './textWidth.ts';

/** The least distance between the base lines of two labels, in pixels. */
const LABEL_GAP = 17;

/** The options of a chart with its layout. The labels lie between `top` and `bottom`. */
type LabelOptions = LineOptions & Layout & { readonly top: number };

export interface LineLabel {
  readonly series: Series;
  /** The index of the series in the chart. The CSS class of the label is made from it. */
  readonly index: number;
  /** The vertical position of the end of the line, in pixels. */
  readonly y: number;
}

/** Adds a label with a coloured mark at the end of each line. */
export function addLineLabels(svg: SVGSVGElement, lines: readonly LineLabel[], options: LabelOptions): void {
  const { width, marginRight, labelSize, top, bottom, colour, label } = options;
  const places = lines.map(({ series, y }) => ({ name: series.name, y }));
  const placed = labelPositions(places, top, bottom, LABEL_GAP);
  const x = width - marginRight;
  const texts = shortenToFit(
    lines.map(({ series }) => label(series)),
    marginRight - 12,
    { size: labelSize },
  );
  for (const [i, { series, index }] of lines.entries()) {
    const y = placed.get(series.name);
    if (y === undefined) continue;
    const group = svgElement('g', { class: seriesClass(index) });
    group.append(
      svgElement('rect', { x: x + 4, y: y - 5, width: 4, height: 10, rx: 1, fill: colour(series) }),
    );
    const attributes = { x: x + 12, y, dy: '0.34em', 'font-size': labelSize, fill: 'var(--ink)' };
    addText(group, texts[i] ?? '', { ...attributes, class: 'series-label' });
    svg.append(group);
  }
}

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
