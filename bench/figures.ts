// One measured figure beside its reference, and how a list of them is printed.

export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** The lowest and highest of the rounds whose median `value` is: the noise of this run. */
  readonly range?: readonly [lowest: number, highest: number];
  /** From the same run. */
  readonly reference?: number;
  /** Without a reference: why there is none. */
  readonly referenceName?: string;
  readonly better: 'lower' | 'higher';
  /** What `value / reference` has to reach, or for `lower` to stay below. */
  readonly mark?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** What the load generator used of a core: near 1 it, and not the server, was measured. */
  readonly generatorCpu?: number;
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

export const median = (values: readonly number[] | undefined): number => percentile(values ?? [], 0.5);

/** The median of rounds as a figure's value, with its range. */
export const ofRounds = (rounds: readonly number[] | undefined): Pick<Figure, 'value' | 'range'> => ({
  value: median(rounds),
  ...(rounds && rounds.length > 1 && { range: [Math.min(...rounds), Math.max(...rounds)] as const }),
});

/** The p99 of a hot page beside other work, which may be up to three times its idle one; milliseconds. */
export const besideIdle = (what: string, busyMs: readonly number[], idleMs: readonly number[]): Figure => ({
  what,
  unit: 'ms',
  ...ofRounds(busyMs),
  reference: median(idleMs),
  referenceName: 'idle',
  better: 'lower',
  mark: 3,
});

/** A line of the table: figure, reference, ratio, mark and whether it is met. */
export function line(figure: Figure): string {
  const { what, unit, value, reference, referenceName = '', generatorCpu } = figure;
  const ratio = reference === undefined ? '' : (value / reference).toFixed(2);
  const generator =
    generatorCpu === undefined ? '' : `generator ${Math.round(generatorCpu * 100)} % of a core`;
  const cells = [
    what.padEnd(44),
    `${shown(value)} ${unit}`.padStart(20),
    (reference === undefined ? referenceName : `${shown(reference)} ${referenceName}`).padEnd(32),
    ratio.padStart(6),
    verdict(figure).padEnd(16),
    generator,
  ];
  return `${cells.join('  ').trimEnd()}\n`;
}

/** What the figure has to reach and whether it does, such as `≥ 0.8 × met`; empty without a mark. */
export function verdict({ value, reference, better, mark, atLeast, atMost }: Figure): string {
  const limit = mark !== undefined && reference !== undefined ? mark * reference : (atLeast ?? atMost);
  if (limit === undefined) return '';
  const met = better === 'lower' ? value <= limit : value >= limit;
  const bound = `${better === 'lower' ? '≤' : '≥'} ${mark === undefined ? shown(limit) : `${mark} ×`}`;
  return `${bound} ${met ? 'met' : 'MISSED'}`;
}

/** Three digits, or whole numbers from 100 on. */
export const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
