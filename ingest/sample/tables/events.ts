// Events in single markets: laws, bans and openings.

import type { ProductKey, SubChannel } from './taxonomy.ts';

/**
 * An event in a market, from a year on:
 * - `step`: the factor applies from that year on.
 * - `dip`: the factor applies for two years.
 * - `end`: the year is the last one, and the factor is the share of it that remains.
 * - `start`: the year is the first one. The factor applies to it, and grows by 0.2 a year up to 1.
 */
export interface MarketEvent {
  readonly country: string;
  readonly products: readonly ProductKey[];
  readonly kind: 'step' | 'dip' | 'end' | 'start';
  readonly year: number;
  readonly factor: number;
  /** The only sub-channel that the event affects. Without it, the event affects all of them. */
  readonly subChannel?: SubChannel;
}

export const EVENTS: readonly MarketEvent[] = [
  { country: 'United Kingdom', products: ['MR'], kind: 'step', year: 2019, factor: 0.66 },
  { country: 'Brazil', products: ['BV'], kind: 'end', year: 2004, factor: 0.5 },
  { country: 'Sweden', products: ['SV', 'TV'], kind: 'end', year: 2025, factor: 0.6 },
  { country: 'Ukraine', products: ['SV', 'MV', 'TV'], kind: 'start', year: 2021, factor: 0.4 },
  { country: 'Ukraine', products: ['DR', 'SR', 'MV', 'SV'], kind: 'step', year: 2022, factor: 0.62 },
  { country: 'Poland', products: ['MV'], kind: 'start', year: 2018, factor: 0.3 },
  { country: 'India', products: ['FO'], kind: 'end', year: 2025, factor: 0.6 },
  { country: 'Japan', products: ['SV', 'TV'], kind: 'start', year: 2030, factor: 0.3 },
  { country: 'United Arab Emirates', products: ['DR'], kind: 'start', year: 2024, factor: 0.5 },
  { country: 'United Arab Emirates', products: ['SV', 'TV'], kind: 'start', year: 2027, factor: 0.5 },
  {
    country: 'Cambodia',
    products: ['CO', 'SO', 'TO'],
    subChannel: 'Onshore',
    kind: 'end',
    year: 2019,
    factor: 0.8,
  },
  { country: 'Albania', products: ['SR'], kind: 'end', year: 2018, factor: 0.9 },
  { country: 'Kenya', products: ['SO', 'SR'], kind: 'dip', year: 2019, factor: 0.7 },
  { country: 'Netherlands', products: ['CO'], kind: 'step', year: 2025, factor: 0.88 },
];
