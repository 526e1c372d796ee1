// Measures the width of a text in the font of the charts, in pixels.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

let context: CanvasRenderingContext2D | null = null;

export function textWidth(text: string, size: number): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * size * 0.58;
  context.font = `${size}px ${FONT}`;
  return context.measureText(text).width;
}
