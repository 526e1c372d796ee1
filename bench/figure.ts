// A measured figure beside its reference, and its line in the printed table.

export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** The lowest and the highest of the rounds; `value` is their median. The range shows the noise of this run. */
  readonly range?: readonly [lowest: number, highest: number];
  /** The value of the reference in the same run. */
  readonly reference?: number;
  /** The name of the reference or, without one, why there is none. */
  readonly referenceName?: string;
  readonly better: 'lower' | 'higher';
  /** The bound of `value / reference`: a maximum if lower is better, else a minimum. */
  readonly mark?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /**
   * The share of a core that the load generator used. Near 1, the figure is the speed of the generator, not of the server.
   */
  readonly generatorCpu?: number;
}

/** A percentile of the values: 0.99 as the share gives the p99, 1 gives the largest value. NaN without values. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** The median; NaN without values. */
export const median = (values: readonly number[] | undefined): number => percentile(values ?? [], 0.5);

/** A figure from the values of all rounds: their median, with the lowest and the highest of them as the range. */
export const ofRounds = (rounds: readonly number[] | undefined): Pick<Figure, 'value' | 'range'> => ({
  value: median(rounds),
  ...(rounds && rounds.length > 1 && { range: [Math.min(...rounds), Math.max(...rounds)] as const }),
});

/** The p99 of a cached page during other work, in milliseconds. It may be up to three times the p99 without other work. */
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

/** The mark of the figure and whether it is met, such as `≥ 0.8 × met`; empty without a mark. */
export function verdict({ value, reference, better, mark, atLeast, atMost }: Figure): string {
  const limit = mark !== undefined && reference !== undefined ? mark * reference : (atLeast ?? atMost);
  if (limit === undefined) return '';
  const met = better === 'lower' ? value <= limit : value >= limit;
  const bound = `${better === 'lower' ? '≤' : '≥'} ${mark === undefined ? shown(limit) : `${mark} ×`}`;
  return `${bound} ${met ? 'met' : 'MISSED'}`;
}

/** A value with three significant digits; from 100 on, as a whole number. */
export const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
