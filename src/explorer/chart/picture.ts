// Saves a chart as a picture with title, unit, source and snapshot, in light colours.

import { saveFile } from './saveFile.ts';
import { type Attributes, svgElement } from './svgElements.ts';
import { textWidth } from './textWidth.ts';

export interface Picture {
  readonly svg: SVGSVGElement;
  readonly title: string;
  readonly subtitle: string;
  readonly source: string;
  /** The name of the file, without its extension. */
  readonly name: string;
}

/** Saves the picture as SVG. */
export function saveSvg(picture: Picture): void {
  saveFile(new Blob([svgText(picture)], { type: 'image/svg+xml' }), `${picture.name}.svg`);
}

/** Saves the picture as PNG. It has twice the size, so that it is sharp on high-resolution screens and on slides. */
export async function savePng(picture: Picture): Promise<void> {
  const address = URL.createObjectURL(new Blob([svgText(picture)], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob !== null) saveFile(blob, `${picture.name}.png`);
}

// In pixels.
const MARGIN = 24;
const TITLE_LINE = 28;
const SOURCE_LINE = 17;

function svgText({ svg, title, subtitle, source }: Picture): string {
  const chart = svg.cloneNode(true) as SVGSVGElement;
  const width = Number(chart.getAttribute('width')) + 2 * MARGIN;
  const lines = wrapped(title, 22, width - 2 * MARGIN);
  const sources = wrapped(source, 12, width - 2 * MARGIN);
  const titleEnd = MARGIN + lines.length * TITLE_LINE;
  const top = titleEnd + 28;
  const height = top + Number(chart.getAttribute('height')) + 16 + sources.length * SOURCE_LINE + MARGIN / 2;
  const root = svgElement('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Arial, sans-serif',
    color: LIGHT['--ink'] ?? '',
  });
  const name = svgElement('title', {});
  name.textContent = title;
  chart.setAttribute('x', String(MARGIN));
  chart.setAttribute('y', String(top));
  const titleText = { y: MARGIN + 18, 'font-size': 22, 'font-weight': 650, fill: 'var(--ink)' };
  const subtitleText = { y: titleEnd + 10, 'font-size': 14, fill: 'var(--quiet)' };
  const firstSource = height - MARGIN / 2 - 4 - (sources.length - 1) * SOURCE_LINE;
  root.append(
    name,
    svgElement('rect', { width, height, fill: 'var(--paper)' }),
    ...textLines(lines, TITLE_LINE, titleText),
    ...textLines([subtitle], 0, subtitleText),
    chart,
    ...textLines(sources, SOURCE_LINE, { y: firstSource, 'font-size': 12, fill: 'var(--quiet)' }),
  );
  return new XMLSerializer()
    .serializeToString(root)
    .replace(/var\((--[\w-]+)\)/g, (_, variable) => LIGHT[variable] ?? '#000');
}

/** A text for each line, the first one at `y` and each further one by `lineHeight` below it. */
const textLines = (
  lines: readonly string[],
  lineHeight: number,
  attributes: Attributes & { readonly y: number },
): SVGElement[] =>
  lines.map((line, i) => {
    const made = svgElement('text', { x: MARGIN, ...attributes, y: attributes.y + i * lineHeight });
    made.textContent = line;
    return made;
  });

function wrapped(content: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && textWidth(`${line} ${word}`, size) < width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * The light colours of style.css. Pictures have them even if the screen is dark, because they are used on white paper.
 */
const LIGHT: Readonly<Record<string, string>> = {
  '--paper': '#ffffff',
  '--ink': '#1b1d20',
  '--quiet': '#5b6068',
  '--grid': '#e6e6e3',
  '--axis': '#a5a7aa',
  '--grey': '#8a8f96',
  '--forecast': '#f4f3ee',
  '--s1': '#0d4fd9',
  '--s2': '#690d24',
  '--s3': '#3095fe',
  '--s4': '#979802',
  '--s5': '#401782',
  '--s6': '#7f4f86',
  '--s7': '#bb1500',
  '--s8': '#dd6aa0',
};
