// Lists codes that are not in ISO 4217 any more or never were, with the code to write instead and the rate between the two.

/** The currency that replaced a former code. */
export interface FormerCurrency {
  readonly code: string;
  /** How many units of the former currency equal one unit of the new one; 1 when only the code changed. */
  readonly units: number;
}

/** Each entry has a former code, its successor, and how many former units make one unit of the successor. */
const TABLE = `
  ATS EUR 13.7603   BEF EUR 40.3399   CYP EUR 0.585274  DEM EUR 1.95583   EEK EUR 15.6466   ESP EUR 166.386
  FIM EUR 5.94573   FRF EUR 6.55957   GRD EUR 340.75    IEP EUR 0.787564  ITL EUR 1936.27   LTL EUR 3.4528
  LUF EUR 40.3399   LVL EUR 0.702804  MTL EUR 0.4293    NLG EUR 2.20371   PTE EUR 200.482   SIT EUR 239.64
  SKK EUR 30.126    AFA AFN 1000      AZM AZN 5000      BGL BGN 1000      BYR BYN 10000     CSD RSD 1
  GHC GHS 10000     MRO MRU 10        MXP MXN 1000      MZM MZN 1000      PLZ PLN 10000     ROL RON 10000
  RUR RUB 1000      SDD SDG 100       SRG SRD 1000      STD STN 1000      TMM TMT 5000      TRL TRY 1000000
  VEF VES 100000    ZMK ZMW 1000      CNH CNY 1         GBX GBP 100       NTD TWD 1         RMB CNY 1
  STG GBP 1         UKP GBP 1
`;

/** The currencies that replaced former codes. */
export const FORMER_CURRENCIES: ReadonlyMap<string, FormerCurrency> = new Map(
  [...TABLE.matchAll(/([A-Z]{3}) ([A-Z]{3}) ([\d.]+)/g)].map(([, former = '', code = '', units]) => [
    former,
    { code, units: Number(units) },
  ]),
);
