// Tells which forecasts moved by enough to break a relation.

import type { Matched } from './matched.ts';
import { AGREES } from './rateDistances.ts';

/**
 * Whether a row that differs may break a relation of forecasts. They move by a little in most months, and a move that a
 * relation allows breaks none.
 */
export function movedForecasts({ changed, before, after, metrics, flags }: Matched): (i: number) => boolean {
  const isFx = metrics.length > 1;
  return (i) => {
    const [old, fresh] = [changed.before[i] as number, changed.after[i] as number];
    const isForecast = old >= 0 ? flags.before.forecast[old] : flags.after.forecast[fresh];
    // Forecasts of figures may be of years whose rates are reported.
    if (isForecast !== 1 && !isFx) return false;
    if (old < 0 || fresh < 0) return true;
    return metrics.some((_, m) => !(Math.abs(after.value(m, fresh) / before.value(m, old) - 1) <= AGREES));
  };
}
