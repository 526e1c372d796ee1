// The shares of products in the Land revenue and in the Online revenue of a country, in percent.

import type { Channel, ProductKey } from './taxonomy.ts';

export type ProfileName = keyof typeof PROFILES;
export type Shares = Readonly<Partial<Record<ProductKey, number>>>;

export const PROFILES = {
  uk: {
    Land: { MV: 20, SR: 17, DR: 16, MR: 14, IR: 12, HR: 10, TV: 9, BV: 7 },
    Online: { CO: 48, SO: 23, HO: 9, DO: 8, TO: 6 },
  },
  it: {
    Land: { MR: 46, MV: 17, IR: 16, DR: 12, SR: 6, BV: 2, SV: 1, TV: 1 },
    Online: { CO: 42, SO: 38, TO: 8, PO: 4, DO: 3 },
  },
  es: {
    Land: { MR: 38, DR: 36, IR: 8, BV: 7, SR: 6, TV: 3, SV: 2, MV: 2 },
    Online: { CO: 44, SO: 36, TO: 8, PO: 6, DO: 6 },
  },
  eu: {
    Land: { MR: 27, DR: 27, MV: 13, IR: 11, SV: 7, SR: 7, TV: 5, HR: 4 },
    Online: { SO: 46, CO: 33, DO: 11, PO: 5, TO: 4 },
  },
  nordic: {
    Land: { DR: 38, MR: 22, HR: 14, IR: 13, SR: 6, SV: 4, TV: 3 },
    Online: { CO: 38, SO: 30, DO: 16, HO: 10, BO: 3 },
  },
  cee: {
    Land: { MV: 30, DR: 24, SR: 20, IR: 12, SV: 8, TV: 6 },
    Online: { SO: 55, CO: 35, TO: 7, PO: 3 },
  },
  casino: {
    Land: { TV: 68, SV: 26, DR: 5, SR: 1 },
    Online: { CO: 52, SO: 38, TO: 10 },
  },
  hk: {
    Land: { HR: 52, DR: 20, HV: 18, SR: 10 },
    Online: { SO: 58, HO: 42 },
  },
  lottery: {
    Land: { DR: 62, IR: 18, SR: 14, HV: 6 },
    Online: { SO: 58, CO: 32, TO: 6, DO: 4 },
  },
  jp: {
    Land: { MV: 62, HV: 18, DR: 15, IR: 5 },
    Online: { HO: 66, CO: 18, DO: 10, SO: 6 },
  },
  ph: {
    Land: { TV: 42, SV: 34, BV: 10, DR: 10, MV: 4 },
    Online: { CO: 54, SO: 22, BO: 14, TO: 10 },
  },
  africa: {
    Land: { SR: 46, DR: 18, SV: 18, MV: 12, TV: 6 },
    Online: { SO: 72, CO: 22, EO: 3, DO: 3 },
  },
  latam: {
    Land: { SV: 34, DR: 28, MV: 22, TV: 8, BV: 5, IR: 3 },
    Online: { SO: 56, CO: 33, TO: 6, PO: 3, EO: 2 },
  },
  us: {
    Land: { SV: 52, DR: 17, IR: 14, TV: 11, MR: 4, HV: 2, SR: 1 },
    Online: { SO: 48, CO: 27, HO: 8, TO: 8, FO: 5 },
  },
  us0: {
    Land: { SV: 56, DR: 28, TV: 10, HV: 6 },
    Online: { SO: 70, CO: 30 },
  },
  ca: {
    Land: { SV: 38, DR: 26, MR: 14, IR: 12, TV: 10 },
    Online: { CO: 46, SO: 34, DO: 10, TO: 8, PO: 2 },
  },
  au: {
    Land: { MR: 60, DR: 12, SV: 9, HR: 8, TV: 7, HV: 2, IR: 2 },
    Online: { SO: 48, HO: 36, DO: 11, CO: 5 },
  },
} as const satisfies Record<string, Record<Channel, Shares>>;

/** Products in addition to the 100 % of a profile, in percent of the same revenue. They add to the country's revenue. */
export const EXTRA_SHARES: Readonly<Record<string, Shares>> = {
  India: { FO: 14 },
  Japan: { SV: 14, TV: 22 },
  Brazil: { BV: 6 },
  'United Arab Emirates': { SV: 60, TV: 60 },
  Ukraine: { SV: 14 },
};
