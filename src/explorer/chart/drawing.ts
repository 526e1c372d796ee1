// A drawn chart, and what the page asks it: what a pointer points at, and where a year is.

export interface Drawing {
  readonly svg: SVGSVGElement;
  readonly xOf: (year: number) => number;
  readonly yearAt: (x: number, y: number) => number;
  /** The name of the series at a point or near it; null when there is none. */
  readonly seriesNameAt: (x: number, y: number) => string | null;
  /** Marks the year whose values are shown; null removes the mark. */
  readonly markYear: (year: number | null) => void;
}
