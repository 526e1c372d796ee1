// Places labels beside their lines. Moves labels apart that would overlap, and drops the last ones if there is no room.

export interface Label {
  readonly name: string;
  /** The best position of the label: where its line ends. */
  readonly y: number;
}

/**
 * The vertical positions of the labels, by their names. They are between `top` and `bottom`, at least `gap` apart, and
 * as near to the best positions as possible. If not all labels fit, the last ones are left out.
 */
export function labelPositions(
  labels: readonly Label[],
  top: number,
  bottom: number,
  gap: number,
): Map<string, number> {
  const room = Math.max(1, Math.floor((bottom - top) / gap) + 1);
  const sorted = labels.slice(0, room).sort((a, b) => a.y - b.y);
  const wantedPositions = sorted.map(({ y }) => Math.min(bottom, Math.max(top, y)));
  // Labels that touch form a block. A block is placed so that its labels are as near to their best positions as
  // possible.
  const blocks: { wanted: number[]; start: number }[] = [];
  for (const y of wantedPositions) {
    blocks.push({ wanted: [y], start: y });
    while (blocks.length > 1) {
      const last = blocks[blocks.length - 1];
      const before = blocks[blocks.length - 2];
      if (last === undefined || before === undefined) break;
      if (before.start + before.wanted.length * gap <= last.start) break;
      blocks.splice(-2, 2, blockOf([...before.wanted, ...last.wanted], top, bottom, gap));
    }
  }
  const placed = blocks.flatMap(({ wanted, start }) => wanted.map((_, i) => start + i * gap));
  return new Map(sorted.map(({ name }, i) => [name, placed[i] ?? 0]));
}

function blockOf(wanted: number[], top: number, bottom: number, gap: number) {
  const mean = wanted.reduce((sum, y, i) => sum + y - i * gap, 0) / wanted.length;
  const start = Math.max(top, Math.min(mean, bottom - (wanted.length - 1) * gap));
  return { wanted, start };
}
