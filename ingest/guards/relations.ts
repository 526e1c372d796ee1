// Guard `relations`: figures of a country that agreed with each other before no longer do.

import type { BrokenRelation } from '../compare/types.ts';
import { change, listed, spans } from '../messages/numbers.ts';
import { type Guard, percent } from './guard.ts';

/** The message for each relation. */
const WORDS: Readonly<Record<BrokenRelation['relation'], (broken: BrokenRelation) => string>> = {
  'turnover-below-ggr': ({ after }) =>
    `turnover is below ggr, at ${percent(Number(after.toPrecision(3)))} of it`,
  'currencies-apart': ({ currency, after }) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${percent(Number(after.toPrecision(3)))}`,
  'states-above-nation': ({ after }) => `its states come to more than the nation (${change(after - 1)})`,
};

/** Leaves out countries with a refused finding in this dataset or in the rates. */
export const relations: Guard = ({ dataset }, { comparison, refusedCountries }) =>
  comparison.relations
    .filter((broken) => broken.dataset === dataset && !refusedCountries.has(broken.country))
    .map((broken) => ({
      severity: 'refuse',
      country: broken.country,
      message: `${[broken.country, ...(broken.places.length === 0 ? [] : [listed(broken.places)])].join(', ')}: ${WORDS[broken.relation](broken)} in ${spans(broken.years)}`,
    }));
