// Draws an SVG into a box as wide as the page lets it be, and again when the width changes.

import type { RefObject } from 'preact';
import { type Inputs, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Below this width, in pixels, nothing is drawn: the box is hidden, or not laid out yet. */
const LEAST_WIDTH = 50;

/** The box to render, and its width in pixels; `draw` runs again when one of `inputs` or the width changes. */
export function useDrawing(
  draw: (width: number) => Element,
  inputs: Inputs,
): { readonly box: RefObject<HTMLDivElement | null>; readonly width: number } {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = box.current;
    if (target === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (width >= LEAST_WIDTH) box.current?.replaceChildren(draw(width));
  }, [...inputs, width]);
  return { box, width };
}
