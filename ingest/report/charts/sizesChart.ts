// Draws the number of revised values by the size of the change: decreases to the left, increases to the right.

import { type Html, html } from '../../../src/text/html.ts';
import type { MetricChanges, RevisionSize } from '../../compare/comparisonTypes.ts';
import { count } from '../../messages/numbers.ts';
import { px } from './scale.ts';

// Lengths are in units of the view box.
const WIDTH = 300;
const ROW = 18;
const MIDDLE = 150;
const LABEL = 96;
/** The length of the longest bar: half of the width without the label, minus the room for the number beside it. */
const LONGEST_BAR = (WIDTH - LABEL) / 2 - 48;

/** One chart for all metrics of a dataset. The number of values is written beside each bar. */
export function sizesChart(title: string, metrics: readonly MetricChanges[]): Html {
  const sizes = sizesOfAllMetrics(metrics);
  const most = Math.max(1, ...sizes.flatMap(({ up, down }) => [up, down]));
  const height = sizes.length * ROW + 16;
  const rows = sizes.map(({ up, down }, i) => {
    const y = 16 + i * ROW;
    const [left, right] = [MIDDLE - LABEL / 2, MIDDLE + LABEL / 2];
    const lengthOf = (n: number) => (n === 0 ? 0 : Math.max(1, (n / most) * LONGEST_BAR));
    const [fell, rose] = [lengthOf(down), lengthOf(up)];
    return html`<text class="m s" x="${MIDDLE}" y="${y + 11}">${rangeOf(sizes, i)}</text>
<rect class="bar down" x="${px(left - fell)}" y="${y + 2}" width="${px(fell)}" height="${ROW - 6}"/><text class="e" x="${px(left - fell - 4)}" y="${y + 11}">${count(down)}</text>
<rect class="bar" x="${px(right)}" y="${y + 2}" width="${px(rose)}" height="${ROW - 6}"/><text x="${px(right + rose + 4)}" y="${y + 11}">${count(up)}</text>
`;
  });
  const spoken = sizes.map(({ up, down }, i) => `${rangeOf(sizes, i)}: ${count(down)} down, ${count(up)} up`);
  return html`<figure>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Revised values of ${title} by size of the change. ${spoken.join('; ')}">
<text class="e" x="${MIDDLE - LABEL / 2}" y="10">down</text><text x="${MIDDLE + LABEL / 2}" y="10">up</text>
${rows}</svg>
</figure>
`;
}

/** The number of revisions of each size, summed over all metrics. Every metric with revisions has the same sizes. */
function sizesOfAllMetrics(metrics: readonly MetricChanges[]): RevisionSize[] {
  const all = metrics.map(({ sizes }) => sizes).filter((sizes) => sizes.length > 0);
  return (all[0] ?? []).map(({ upTo }, i) => ({
    upTo,
    down: all.reduce((sum, sizes) => sum + (sizes[i]?.down ?? 0), 0),
    up: all.reduce((sum, sizes) => sum + (sizes[i]?.up ?? 0), 0),
  }));
}

/** The name of a size: `0.1 to 1 %`, `over 100 %`. */
function rangeOf(sizes: readonly RevisionSize[], i: number): string {
  const [from, to] = [sizes[i - 1]?.upTo, sizes[i]?.upTo].map((share) =>
    share === undefined || share === null ? null : `${Number((share * 100).toPrecision(6))}`,
  );
  if (to === null) return `over ${from} %`;
  return from === null ? `up to ${to} %` : `${from} to ${to} %`;
}
