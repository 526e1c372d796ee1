// Lists the USD that each major currency has been worth since 2000, and currencies that are fixed at par to another.

/** The range of annual averages, in USD for one unit of a currency. */
interface UsualRate {
  readonly least: number;
  readonly most: number;
}

/**
 * Each range holds all annual averages since 2000. It has more room below than above, because currencies fall more often
 * than they rise. It is so narrow that the inverse of most rates, and a hundred times most rates, lie outside.
 */
const USUAL_RATE_LINES = `
  AED 0.26 0.29      AUD 0.4 1.3        CAD 0.55 1.2       CHF 0.5 2          CLP 0.0006 0.004   CNY 0.09 0.25
  COP 0.0001 0.001   CZK 0.015 0.09     DKK 0.09 0.25      EUR 0.75 1.8       GBP 1 2.5          HKD 0.12 0.14
  HUF 0.0015 0.01    IDR 0.00003 0.0002 ILS 0.15 0.5       INR 0.006 0.04     JPY 0.004 0.02     KRW 0.0004 0.002
  MXN 0.03 0.2       MYR 0.15 0.4       NOK 0.06 0.25      NZD 0.3 1.1        PHP 0.01 0.04      PLN 0.15 0.6
  SAR 0.25 0.28      SEK 0.06 0.25      SGD 0.45 1         THB 0.015 0.05     TWD 0.02 0.05      VND 0.00002 0.0002
`;

/** The usual rates of the major currencies, by code. */
export const USUAL_RATES: ReadonlyMap<string, UsualRate> = new Map(
  [...USUAL_RATE_LINES.matchAll(/([A-Z]{3}) ([\d.]+) ([\d.]+)/g)].map(([, code = '', least, most]) => [
    code,
    { least: Number(least), most: Number(most) },
  ]),
);

const PAR_PAIRS = `
  BAM BGN  BND SGD  BTN INR  CHE CHF  FKP GBP  GGP GBP  GIP GBP  IMP GBP  JEP GBP  SHP GBP
  FOK DKK  KID AUD  TVD AUD  LSL ZAR  NAD ZAR  SZL ZAR  XAF XOF  ANG XCG  VED VES
`;

/** For currencies that have the value of another one by law, this other one. None of these others is at par itself. */
const PAR_OF: ReadonlyMap<string, string> = new Map(
  [...PAR_PAIRS.matchAll(/(\w+) (\w+)/g)].map(([, code = '', other = '']) => [code, other]),
);

const parOf = (code: string): string => PAR_OF.get(code) ?? code;

/** Whether two currencies have the same value by law. */
export const areAtPar = (one: string, other: string): boolean => parOf(one) === parOf(other);
