// Guard `copies`, for new countries: their figures are those of another country times factors.

import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** Refuses a new country that is another one times factors, unless a pattern or a renaming reports it. */
export const proportionalCountries: Guard = ({ dataset, proportional }, { renamings, verdicts }) =>
  proportional
    .filter(
      ({ country }) =>
        !renamings.in(dataset).some(({ dimension, to }) => dimension === 'country' && to === country) &&
        !verdicts.some(({ pattern: { family, place } }) => family === 'copied' && place.country === country),
    )
    .map(({ metric, country, of, per, factor, figures, compared }) => ({
      severity: 'refuse',
      message: `${country}: ${metric} is that of ${of} × ${factor === null ? `one factor per ${per}` : Number(factor.toPrecision(5))} in ${count(figures)} of ${counted(compared, 'figure')}; they count twice if both are one country`,
      country,
    }));
