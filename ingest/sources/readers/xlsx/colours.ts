// Reads the colours of fonts and fills in a form in which equal colours are equal texts.

import type { Attributes } from '../xml/attributes.ts';

export const BLACK = '000000';
export const WHITE = 'FFFFFF';

/** The colours that a theme and the palette of old programs begin with; 64 and 65 are those of the window. */
const BY_THEME: readonly string[] = [WHITE, BLACK];
const BY_INDEX: Readonly<Record<string, string>> = {
  0: BLACK,
  1: WHITE,
  8: BLACK,
  9: WHITE,
  64: BLACK,
  65: WHITE,
};

/** The colour that an element such as `<color rgb="FFFFFFFF"/>` names; null for one that depends on the program. */
export function colourIn(attributes: Attributes): string | null {
  const rgb = attributes.get('rgb');
  if (rgb !== undefined) return rgb.slice(-BLACK.length).toUpperCase();
  const tint = Number(attributes.get('tint') ?? 0);
  const theme = attributes.get('theme');
  const index = attributes.get('indexed');
  const plain =
    theme !== undefined
      ? (BY_THEME[Number(theme)] ?? `theme ${theme}`)
      : index !== undefined
        ? (BY_INDEX[index] ?? `index ${index}`)
        : null;
  return plain === null || tint === 0 ? plain : `${plain} ${tint}`;
}
