// Measures the width of a text in the font of the charts, in pixels.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

let context: CanvasRenderingContext2D | null = null;

/** The width of a text in this size and weight. If a browser has no canvas, it is an estimate. */
export function textWidth(text: string, size: number, weight = 400): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * size * 0.58;
  context.font = `${weight} ${size}px ${FONT}`;
  return context.measureText(text).width + size * spacingOf(text);
}

/** The width of the extra letter and word spacing that a reader has set (WCAG 1.4.12), in multiples of the font size. */
function spacingOf(text: string): number {
  const { fontSize, letterSpacing, wordSpacing } = getComputedStyle(document.body);
  const ofSize = (length: string) => (Number.parseFloat(length) || 0) / Number.parseFloat(fontSize);
  return text.length * ofSize(letterSpacing) + (text.split(' ').length - 1) * ofSize(wordSpacing);
}
