// Draws an SVG at the width of its box, and again when the width changes.

import type { RefObject } from 'preact';
import { type Inputs, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Nothing is drawn below this width in pixels: the box is hidden or not laid out yet, and labels alone are wider. */
const LEAST_WIDTH = 160;

/** Returns the box and its width in pixels. Calls `draw` again when the width or one of `inputs` changes. */
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
