// Lists the currency codes, which must not depend on the version of Node.js.

/** Codes of ISO 4217 that Node.js does not know, or only since 20.18 (XCG and ZWG). CLF is the unit of account of Chile. */
const FURTHER = ['CLF', 'VED', 'XCG', 'ZWG'];

/** Codes of ISO 4217 that are in use, or were in this century. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...FURTHER,
]);
