// Shows the values of a year beside the pointer. On a touch screen they are at the bottom, where no finger covers them.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ChartData, unitOf } from '../model/chartData.ts';
import type { ChartKind } from '../model/question.ts';
import { unitText } from '../model/summary.ts';
import { CHART_NOTES } from '../texts/chartTexts.ts';
import { readoutLines, Swatch } from './readout.tsx';

/**
 * Where the tip is: beside the pointer at `x` and `y`, in a chart of `width` by `height` pixels, or at the bottom of
 * the screen. `name` is the series at which the pointer points.
 */
export type TooltipPosition =
  | {
      readonly kind: 'beside';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly name: string | null;
    }
  | { readonly kind: 'docked'; readonly name: string | null };

export interface TooltipProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly year: number;
  readonly position: TooltipPosition;
  readonly source: string;
  readonly onClose: () => void;
}

/** The distance to the pointer, in pixels. */
const GAP = 16;

/** The tip. At the bottom of the screen it closes when people tap or click elsewhere. */
export function Tooltip({ data, kind, year, position, source, onClose }: TooltipProps): VNode {
  useEffect(() => {
    if (position.kind !== 'docked') return;
    const outside = ({ target }: Event) => !(target as Element).closest('.tip, .chart') && onClose();
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    addEventListener('pointerdown', outside);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', onKey);
    };
  }, [position.kind]);
  // The tip is hidden from screen readers, because the slider of years gives them the same values.
  return (
    <div class={`tip is-${position.kind}`} style={styleOf(position)} aria-hidden="true" onClick={onClose}>
      <p class="tip-head">
        <strong>{year}</strong> <span class="quiet">{unitText(unitOf(data))}</span>
      </p>
      <ul>
        {readoutLines(data, kind, year).map(({ id, label, colour, exact, note }) => (
          <li key={id} class={id === position.name ? 'is-focused' : ''}>
            <Swatch colour={colour} />
            <bdi>{label}</bdi>
            <span class="tip-value">{exact}</span>
            {note !== '' && <span class="tip-note">{note}</span>}
          </li>
        ))}
      </ul>
      <p class="tip-source">
        {source}
        {position.kind === 'docked' ? ` · ${CHART_NOTES.tapToClose}` : ''}
      </p>
    </div>
  );
}

/**
 * The position of the tip: to the right of the pointer, or to the left of it in the right half of the chart. In the
 * lower half of the chart, the lower end of the tip is near the pointer.
 */
function styleOf(place: TooltipPosition): Record<string, string> | undefined {
  if (place.kind === 'docked') return undefined;
  const { x, y, width, height } = place;
  const isLeft = x > width / 2;
  const isAbove = y > height / 2;
  return {
    left: isLeft ? 'auto' : `${x + GAP}px`,
    right: isLeft ? `${width - x + GAP}px` : 'auto',
    top: isAbove ? 'auto' : `${Math.max(0, y - 2 * GAP)}px`,
    bottom: isAbove ? `${Math.max(0, height - y - GAP)}px` : 'auto',
  };
}
