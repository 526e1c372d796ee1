// The products and their channels: the 24 combinations of category, product, channel and sub-channel that exist.

export type ProductKey = keyof typeof PRODUCTS;
export type Channel = 'Land' | 'Online';
export type SubChannel = 'Retail' | 'Venue' | 'Onshore' | 'Offshore';

export interface Product {
  readonly category: string;
  readonly product: string;
  readonly channel: Channel;
  readonly subChannels: readonly SubChannel[];
  /** The range of ggr / turnover, in percent; null when the stakes are not known. */
  readonly holdPercent: readonly [number, number] | null;
}

// Retail is a shop, bar or lottery point of sale; Venue a casino, hall, arcade or racecourse.
const RETAIL = { channel: 'Land', subChannels: ['Retail'] } as const;
const VENUE = { channel: 'Land', subChannels: ['Venue'] } as const;
const ONSHORE = { channel: 'Online', subChannels: ['Onshore'] } as const;
const ONLINE = { channel: 'Online', subChannels: ['Onshore', 'Offshore'] } as const;

const SPORT = { category: 'Betting', product: 'Sport Betting' } as const;
const HORSES = { category: 'Betting', product: 'Horse Racing' } as const;
const SLOTS = { category: 'Gaming', product: 'Casino Slots' } as const;
const TABLES = { category: 'Gaming', product: 'Casino Table Games' } as const;
const BINGO = { category: 'Gaming', product: 'Bingo' } as const;
const MACHINES = { category: 'Gaming', product: 'Gaming Machines' } as const;
const DRAWS = { category: 'Lottery', product: 'Draw Games' } as const;

export const PRODUCTS = {
  SR: { ...SPORT, ...RETAIL, holdPercent: [12, 22] },
  SO: { ...SPORT, ...ONLINE, holdPercent: [6, 11] },
  HR: { ...HORSES, ...RETAIL, holdPercent: [11, 17] },
  HV: { ...HORSES, ...VENUE, holdPercent: [16, 25] },
  HO: { ...HORSES, ...ONSHORE, holdPercent: [9, 16] },
  EO: { category: 'Betting', product: 'Esports Betting', ...ONLINE, holdPercent: [5, 9] },
  FO: { category: 'Betting', product: 'Fantasy Sports', ...ONSHORE, holdPercent: [9, 14] },
  SV: { ...SLOTS, ...VENUE, holdPercent: [6, 11] },
  CO: { ...SLOTS, ...ONLINE, holdPercent: [3, 6] },
  // Casinos count the money exchanged for chips (the drop), not the stakes.
  TV: { ...TABLES, ...VENUE, holdPercent: null },
  TO: { ...TABLES, ...ONLINE, holdPercent: [2, 4] },
  // Poker rooms take a rake. The stakes pass between players.
  PO: { category: 'Gaming', product: 'Poker', ...ONLINE, holdPercent: null },
  BV: { ...BINGO, ...VENUE, holdPercent: [22, 36] },
  BO: { ...BINGO, ...ONSHORE, holdPercent: [14, 30] },
  MR: { ...MACHINES, ...RETAIL, holdPercent: [15, 30] },
  MV: { ...MACHINES, ...VENUE, holdPercent: [7, 16] },
  DR: { ...DRAWS, ...RETAIL, holdPercent: [42, 55] },
  DO: { ...DRAWS, ...ONSHORE, holdPercent: [40, 52] },
  IR: { category: 'Lottery', product: 'Instant Games', ...RETAIL, holdPercent: [25, 38] },
} as const satisfies Record<string, Product>;

/** The entry of a product, as the type `Product` instead of its literal type. */
export const productOf = (key: ProductKey): Product => PRODUCTS[key];
