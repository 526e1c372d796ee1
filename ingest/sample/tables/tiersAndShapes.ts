// Defines the tiers of countries (how much data they have) and their shapes (how their markets grow).

/** The first year of a tier, and how many products of each channel its countries have. */
export const TIERS = {
  1: { firstYear: 2003, Land: 8, Online: 5 },
  2: { firstYear: 2015, Land: 3, Online: 2 },
  3: { firstYear: 2018, Land: 2, Online: 1 },
  4: { firstYear: 2018, Land: 2, Online: 1 },
} as const;

export type ShapeName = keyof typeof SHAPES;

/**
 * M mature, G growing, E emerging, D declining. Growth is a fraction a year. Online revenue follows a logistic curve, whose
 * steepest year is `onlineMiddle` and whose width is `onlineWidth`, in years.
 */
export const SHAPES = {
  M: { landGrowth: 0.01, onlineMiddle: 2014, onlineWidth: 4.5, realGrowth: 0.013, adultsGrowth: 0.005 },
  G: { landGrowth: 0.03, onlineMiddle: 2019, onlineWidth: 4, realGrowth: 0.03, adultsGrowth: 0.013 },
  E: { landGrowth: 0.05, onlineMiddle: 2021, onlineWidth: 3.5, realGrowth: 0.045, adultsGrowth: 0.024 },
  D: { landGrowth: 0.015, onlineMiddle: 2018, onlineWidth: 4, realGrowth: 0.02, adultsGrowth: -0.005 },
} as const;
