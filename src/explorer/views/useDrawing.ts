// A hook that draws an SVG at the width of its box, and draws it again when the width changes.

import type { RefObject } from 'preact';
import { type Inputs, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The least width for which something is drawn, in pixels. A smaller box is hidden or not laid out yet. */
const LEAST_WIDTH = 160;

/** Calls `draw`, and again when the width or one of `inputs` changes. Returns the box and its width in pixels. */
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
