// Guard `copies`, for new countries: their figures are those of another country times factors.

import type { ProportionalCountry } from '../compare/comparisonTypes.ts';
import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** Refuses a new country that is another one times factors. */
export const proportionalCountriesGuard: Guard<ProportionalCountry, ProportionalCountry> = {
  find: ({ proportional }) => proportional,
  gather: (found) =>
    found.map((about) => ({ rule: 'copies', severity: 'refuse', country: about.country, about })),
  words: ({ metric, country, of, per, factor, figures, compared }) => ({
    message: `${country}: ${metric} is that of ${of} × ${factor === null ? `one factor per ${per}` : Number(factor.toPrecision(5))} in ${count(figures)} of ${counted(compared, 'figure')}; they count twice if both are one country`,
  }),
};
