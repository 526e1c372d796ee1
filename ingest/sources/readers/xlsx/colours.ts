// Reads the colours of fonts and fills as texts, which are equal for equal colours.

import type { Attributes } from '../xml/attributes.ts';

export const BLACK = '000000';
export const WHITE = 'FFFFFF';

/** The first two colours of a theme. */
const BY_THEME: readonly string[] = [WHITE, BLACK];

/** Some colours of the standard palette. 64 and 65 are the colours of text and background of a window. */
const BY_INDEX: Readonly<Record<string, string>> = {
  0: BLACK,
  1: WHITE,
  8: BLACK,
  9: WHITE,
  64: BLACK,
  65: WHITE,
};

/**
 * The colour that an element such as `<color rgb="FFFFFFFF"/>` names: `FFFFFF`, `theme 4 0.4` or `index 12`. Null when the
 * colour depends on the program.
 */
export function colourIn(attributes: Attributes): string | null {
  const rgb = attributes.get('rgb');
  if (rgb !== undefined) return rgb.slice(-BLACK.length).toUpperCase();
  const theme = attributes.get('theme');
  const index = attributes.get('indexed');
  const tint = Number(attributes.get('tint') ?? 0);
  const tinted = tint === 0 ? '' : ` ${tint}`;
  if (theme !== undefined) return `${BY_THEME[Number(theme)] ?? `theme ${theme}`}${tinted}`;
  return index === undefined ? null : `index ${index}${tinted}`;
}

/** The colour in the palette for a colour such as `index 12`. Any other result of `colourIn` stays as it is. */
export function withPalette(colour: string | null, palette: readonly (string | null)[]): string | null {
  const [, index] = /^index (\d+)$/.exec(colour ?? '') ?? [];
  return index === undefined ? colour : (palette[Number(index)] ?? BY_INDEX[index] ?? colour);
}
