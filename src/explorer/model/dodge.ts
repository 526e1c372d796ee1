// Places labels beside their lines. Labels that would overlap are moved apart; the last are dropped where there is no room.

export interface Label {
  readonly name: string;
  /** Where its line ends: the best place for the label. */
  readonly y: number;
}

/**
 * The vertical positions of the labels that fit between `top` and `bottom`, at least `gap` apart and as near to their
 * lines as possible. The first labels matter most: the last are dropped.
 */
export function dodge(
  labels: readonly Label[],
  top: number,
  bottom: number,
  gap: number,
): Map<string, number> {
  const room = Math.max(1, Math.floor((bottom - top) / gap) + 1);
  const sorted = labels.slice(0, room).sort((a, b) => a.y - b.y);
  const at = sorted.map(({ y }) => Math.min(bottom, Math.max(top, y)));
  // Touching labels form a block, which moves to the mean of the positions that its labels want.
  const blocks: { wanted: number[]; start: number }[] = [];
  for (const y of at) {
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
