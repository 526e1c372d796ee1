// Lists the currency codes of ISO 4217.

/** Codes of ISO 4217 that Node.js does not know. CLF is the unit of account of Chile. */
const FURTHER = ['CLF', 'VED'];

/** Codes of ISO 4217 that are in use, or were in this century. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...FURTHER,
]);
