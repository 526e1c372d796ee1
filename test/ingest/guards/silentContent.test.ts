// Guards warn of content that is wrong in a correct form: relabelled, dragged, multiplied and rounded figures.

import { describe, expect, it } from '@jest/globals';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';
import {
  C,
  type Change,
  COUNTRIES,
  findingsIn,
  ggr,
  indicators,
  isForecast,
  month,
  times,
} from './plainMonth.ts';

const dragged =
  (metric: string, isIn: (row: Row) => boolean, from: Row): Change =>
  (row) =>
    row.country === C && isIn(row) && Number(row.year) > 2026
      ? { ...row, [metric]: Number(from[metric]) + Number(row.year) - 2026 }
      : row;

describe('figures of the year before', () => {
  const plain = ggr();
  const shifted = (isIn: (row: Row) => boolean): Change => {
    const keyOf = ({ country, product, fx, year }: Row, by: number) =>
      [country, product, fx, Number(year) - by].join();
    const figures = new Map(plain.map((row) => [keyOf(row, 0), row.ggr]));
    return (row) => (isIn(row) ? { ...row, ggr: figures.get(keyOf(row, 1)) ?? row.ggr ?? null } : row);
  };

  it('are named as a span of years, and as reported ones', async () => {
    const isReported = (row: Row) => row.country === C && !isForecast(row);
    expect(await findingsIn(month({ ggr: shifted(isReported) }))).toEqual([
      `refuse ggr: ${C}: 54 changed reported values repeat another year's: 2017–2025 those of the year before`,
    ]);
  });

  it('are named year by year, in their order, where they are few', async () => {
    const isLate = (row: Row) => row.country === C && !isForecast(row) && Number(row.year) > 2022;
    expect(await findingsIn(month({ ggr: shifted(isLate) }))).toEqual([
      expect.stringMatching(/: 2023 those of 2022, 2024 those of 2023 and 2025 those of 2024$/),
    ]);
  });
});

describe('first reports that repeat their forecasts', () => {
  /** In the month before, 2025 was a forecast. */
  const before = month({ ggr: (row) => (row.year === 2025 ? { ...row, temporal: 'Forecast' } : row) });
  /** Countries up to `last` report 2025. The figures that those in `repeating` report are their forecasts. */
  const reports = (last: string, repeating: readonly string[], currencies = ['XTS', 'USD']) =>
    month({
      ggr: (row) => {
        if (row.year !== 2025) return row;
        if (String(row.country) > last) return { ...row, temporal: 'Forecast' };
        const isRepeated = repeating.includes(String(row.country)) && currencies.includes(String(row.fx));
        return isRepeated ? row : { ...row, ggr: Math.round(Number(row.ggr) * 1.013) };
      },
    });

  it('are a warning where those of most other countries differ', async () => {
    expect(await findingsIn(reports('Country F', [C]), before)).toEqual([
      'warn ggr: Country C: 6 first reports equal their forecasts to the last digit, and those of most other countries differ',
    ]);
  });

  it('are a warning where rates moved the figures in other currencies', async () => {
    expect(await findingsIn(reports('Country F', [C], ['XTS']), before)).toEqual([
      'warn ggr: Country C: 3 first reports equal their forecasts to the last digit, and those of most other countries differ',
    ]);
  });

  it('are not a finding where those of most countries repeat them, or hardly another country reports', async () => {
    expect(await findingsIn(reports('Country E', ['Country A', C, 'Country D']), before)).toEqual([]);
    expect(await findingsIn(reports(C, [C]), before)).toEqual([]);
  });
});

describe('values that count up by one', () => {
  const isSeries = (row: Row) => row.product === 'Poker' && row.fx === 'XTS';
  const rowOf = (rows: readonly Row[], isIn: (row: Row) => boolean): Row =>
    rows.find((row) => row.country === C && row.year === 2026 && isIn(row)) ?? {};

  it('are a warning in forecasts of a series, in units or in thousands', async () => {
    const from = rowOf(ggr(), isSeries);
    expect(await findingsIn(month({ ggr: dragged('ggr', isSeries, from) }))).toContain(
      'warn ggr: Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging',
    );
    const inThousands = (change: Change) => ({
      ggr: ggr((row) => change({ ...row, ggr: Math.round(Number(row.ggr)) / 1000 })).map((row) => ({
        ...row,
        ggr: Math.round(Number(row.ggr) * 1e6),
      })),
    });
    const base = { ...from, ggr: Number(from.ggr) / 1000 };
    expect(
      await findingsIn(
        inThousands(dragged('ggr', isSeries, base)),
        inThousands((row) => row),
      ),
    ).toContain(
      'warn ggr: Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging',
    );
  });

  it('are a warning in indicators, also in percentages', async () => {
    const from = rowOf(indicators(), () => true);
    for (const metric of ['gdp_local_currency', 'adult_population', 'inflation'])
      expect(await findingsIn(month({ country: dragged(metric, () => true, from) }))).toContain(
        `warn country: ${metric}, Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging`,
      );
  });

  it('are not a finding where three percentages rise by one', async () => {
    const country: Change = (row) =>
      row.country === C && Number(row.year) > 2027 ? { ...row, inflation: Number(row.year) - 2020.5 } : row;
    expect(await findingsIn(month({ country }))).toEqual([]);
  });
});

describe('labels that change', () => {
  const isClosed = ({ year }: Row) => Number(year) < 2025;
  const relabelled =
    (isIn: (row: Row) => boolean): Change =>
    (row) =>
      isIn(row) ? { ...row, calculation: 'Calculated' } : row;
  // Country A already has the label `Calculated` in the month before, so the label itself is not new.
  const before = month({ fx: relabelled(({ country }) => country === 'Country A') });
  const changed = (isIn: (row: Row) => boolean) =>
    month({ fx: relabelled((row) => row.country === 'Country A' || isIn(row)) });

  it('are a warning where five closed years of a country are calculated otherwise with the same figures', async () => {
    expect(
      await findingsIn(
        changed((row) => row.country === C && isClosed(row)),
        before,
      ),
    ).toEqual(['warn fx: Country C: calculation "Reported" → "Calculated", with the same numbers in 9 rows']);
  });

  it('are one warning for many countries, which names each pair of labels once', async () => {
    expect(await findingsIn(changed(isClosed), before)).toEqual([
      'warn fx: all countries: calculation "Reported" → "Calculated", with the same numbers in 99 rows',
    ]);
  });

  it('are not a finding in the last years, whose figures mature', async () => {
    expect(
      await findingsIn(
        changed(({ year }) => Number(year) > 2022 && Number(year) < 2026),
        before,
      ),
    ).toEqual([]);
  });

  it('are a warning where ten countries have another type', async () => {
    const lookup = (isIn: (i: number) => boolean): Rows => ({
      country_reference: COUNTRIES.map((country, i) =>
        aRow('country_reference', { country, country_type: isIn(i) ? 'Amalgamated' : 'Tracked' }),
      ),
    });
    const usual = lookup((i) => i === 11);
    expect(
      await findingsIn(
        lookup((i) => i < 10 || i === 11),
        usual,
      ),
    ).toEqual([
      expect.stringMatching(
        /^warn country_reference: 10 countries have another (region or )?type now: Country A, Country B/,
      ),
    ]);
    expect(
      await findingsIn(
        lookup((i) => i < 5 || i === 11),
        usual,
      ),
    ).toEqual([]);
  });
});

describe('values that were rounded', () => {
  const rounded =
    (metric: string, round: (value: number) => number, isIn: (row: Row) => boolean): Change =>
    (row) =>
      isIn(row) ? { ...row, [metric]: round(Number(row[metric])) } : row;
  const toMillions = (value: number) => Math.round(value / 1e6) * 1e6;
  const ofC = ({ country }: Row) => country === C;

  it('are a warning in one country, and one of the dataset in many', async () => {
    expect(
      await findingsIn(month({ ggr: rounded('ggr', (value) => Math.trunc(value / 1e3) * 1e3, ofC) })),
    ).toEqual([
      'warn ggr: Country C: 59 of 60 changed reported values are the earlier ones rounded',
      'warn ggr: Country C (forecasts): 29 changed values are the earlier ones rounded',
    ]);
    expect(
      await findingsIn(month({ country: rounded('gdp_local_currency', toMillions, () => true) })),
    ).toEqual([
      'warn country: gdp_local_currency, all countries: 120 changed reported values are the earlier ones rounded',
      'warn country: gdp_local_currency, all countries (forecasts): 60 changed values are the earlier ones rounded',
    ]);
  });

  it('are a warning where a program wrote them as 32-bit numbers, and where rates lost digits', async () => {
    const isLocal = (row: Row) => ofC(row) && row.fx === 'XTS' && !isForecast(row);
    expect(await findingsIn(month({ ggr: rounded('ggr', Math.fround, isLocal) }))).toEqual([
      expect.stringMatching(
        /^warn ggr: Country C: \d+ changed reported values are the earlier ones rounded$/,
      ),
    ]);
    const rates = (rate: number) =>
      month({ fx: (row) => (ofC(row) ? { ...row, fx_constant_eur: rate } : row) });
    expect(await findingsIn(rates(1.07), rates(1.07123))).toContain(
      'warn fx: fx_constant_eur, Country C: 10 changed reported values are the earlier ones rounded',
    );
  });

  it('are not a finding where a figure was revised to a round one, or lost less than its unit', async () => {
    const twice = (row: Row) => ofC(row) && row.year === 2024 && row.fx === 'XTS';
    expect(await findingsIn(month({ ggr: rounded('ggr', toMillions, twice) }))).toEqual([]);
    const exact: Change = (row) => ({ ...row, gdp_usd: Number(row.gdp_usd) + 0.123 });
    const whole = rounded('gdp_usd', Math.round, () => true);
    expect(await findingsIn(month({ country: whole }), month({ country: exact }))).toEqual([]);
  });
});

describe('values of many countries that moved by one factor', () => {
  /** Each country has a currency of its own. */
  const currencies: Change = (row) =>
    row.fx === 'XTS' ? { ...row, fx: `XT${String(row.country).slice(-1)}` } : row;
  const multiplied = (factor: number, isIn: (row: Row) => boolean): Rows => ({
    ggr: ggr((row) => {
      const own = currencies(row);
      return isIn(row) ? { ...own, ggr: Math.round(Number(row.ggr) * factor) } : own;
    }),
  });
  const before = multiplied(1, () => false);
  const isPoker = ({ product }: Row) => product === 'Poker';
  const factors = async (after: Rows) =>
    (await findingsIn(after, before)).filter((one) => one.includes('one factor'));

  it('are a warning where a product was multiplied, among forecasts from a tenth on', async () => {
    expect(await factors(multiplied(1.04, (row) => isPoker(row) && !isForecast(row)))).toEqual([
      'warn ggr: all countries, product Poker: 240 reported values moved by one factor (+4 %)',
    ]);
    expect(await factors(multiplied(1.2, (row) => isPoker(row) && isForecast(row)))).toEqual([
      'warn ggr: all countries, product Poker (forecasts): 120 values moved by one factor (+20 %)',
    ]);
    expect(await factors(multiplied(1.08, (row) => isPoker(row) && isForecast(row)))).toEqual([]);
  });

  it('are one warning also where they moved far, if they are a small part of each country', async () => {
    const small = (rows: Rows): Rows => ({
      ggr: (rows.ggr ?? []).map((row) => (isPoker(row) ? { ...row, ggr: Number(row.ggr) / 40 } : row)),
    });
    const after = multiplied(1.2137, (row) => isPoker(row) && !isForecast(row));
    expect(await findingsIn(small(after), small(before))).toEqual([
      'warn ggr: all countries, product Poker: 240 reported values moved by one factor (+21.4 %)',
    ]);
  });

  it('are not a finding in one currency, which a rate may have moved', async () => {
    expect(await factors(multiplied(1.2, (row) => row.fx === 'USD' && isForecast(row)))).toEqual([]);
  });

  it('are a warning in two countries, where all years and currencies of a product or channel moved', async () => {
    const ofBoth = ({ country }: Row) => country === C || country === 'Country D';
    expect(await factors(multiplied(1.01, (row) => isPoker(row) && ofBoth(row) && !isForecast(row)))).toEqual(
      [
        'warn ggr: Country C, product Poker: 20 reported values moved by one factor (+1 %), the same as in Country D',
        'warn ggr: Country D, product Poker: 20 reported values moved by one factor (+1 %), the same as in Country C',
      ],
    );
    expect(await factors(multiplied(1.2, (row) => isPoker(row) && ofBoth(row) && isForecast(row)))).toEqual([
      'warn ggr: Country C, product Poker (forecasts): 10 values moved by one factor (+20 %), the same as in Country D',
      'warn ggr: Country D, product Poker (forecasts): 10 values moved by one factor (+20 %), the same as in Country C',
    ]);
  });

  it('are one warning where all of many countries moved, by however little', async () => {
    expect(await factors(multiplied(1.01, (row) => !isForecast(row)))).toEqual([
      'warn ggr: all countries: 720 reported values moved by one factor (+1 %)',
    ]);
  });

  it('are not a finding in one country, in one year or currency, or where each country has its own factor', async () => {
    const reported = (isIn: (row: Row) => boolean) => (row: Row) =>
      isIn(row) && isPoker(row) && !isForecast(row) && String(row.country) < 'Country E';
    const only = async (isIn: (row: Row) => boolean) => await factors(multiplied(1.02, reported(isIn)));
    expect(await only(({ country }) => country === C)).toEqual([]);
    expect(await only(({ year }) => year === 2024)).toEqual([]);
    expect(await only(({ fx }) => fx === 'USD')).toEqual([]);
    const own = {
      ggr: ggr((row) => {
        const by = 1.01 + 0.001 * COUNTRIES.indexOf(String(row.country));
        const isIn = isPoker(row) && !isForecast(row);
        return currencies(isIn ? { ...row, ggr: Math.round(Number(row.ggr) * by) } : row);
      }),
    };
    expect(await factors(own)).toEqual([]);
  });
});

it('a single figure that became its tenth, rounded up to whole units, is a leap', async () => {
  const isIt = (row: Row) =>
    row.country === C && row.product === 'Poker' && row.fx === 'USD' && row.year === 2019;
  const ggr: Change = (row) => (isIt(row) ? { ...row, ggr: Math.floor(Number(row.ggr) / 10) + 1 } : row);
  expect(await findingsIn(month({ ggr }))).toContainEqual(
    expect.stringMatching(/^refuse ggr: Country C.*a tenth or less/),
  );
});

describe('one cause', () => {
  it('is not reported again as a total of the country or the dataset where the figures of its years are warned of', async () => {
    const lastTwo = (row: Row) => row.year === 2024 || row.year === 2025;
    const cut = times('ggr', 0.813719, C, lastTwo);
    expect(await findingsIn(month({ ggr: cut }))).toEqual([
      expect.stringMatching(/^warn ggr: Country C, 2024: all 6 values moved by 10 % or more/),
      expect.stringMatching(/^warn ggr: Country C, 2025: all 6 values moved by 10 % or more/),
    ]);
  });

  it('is not reported again as a year that begins where a country has another name', async () => {
    const isLate = ({ product, year }: Row) => product === 'Poker' && Number(year) < 2017;
    const rows = (name: string) =>
      ggr((row) => (row.country === C ? { ...row, country: name } : row)).filter(
        (row) => row.country !== name || !isLate(row),
      );
    expect(await findingsIn({ ggr: rows('Cland') }, { ggr: rows(C) })).toEqual([
      'refuse ggr: a value was renamed: country "Country C" → "Cland", with the same numbers in all 88 rows',
    ]);
  });
});

describe('a finding that a person accepts', () => {
  const everywhere = () => true;

  it('does not hide currencies that disagree with the rates', async () => {
    const people = times('adult_population', 1.5, C, everywhere);
    const dollars = times('ggr', 1.03, C, ({ fx, year }) => fx === 'USD' && year === 2024);
    const after = month({ country: people, ggr: dollars });
    const ofPeople = [expect.stringMatching(/^refuse country: adult_population, Country C: all 10 values/)];
    expect(await findingsIn(after)).toEqual(ofPeople);
    expect(
      await findingsIn(after, month(), [{ rule: 'closed-years', dataset: 'country', country: C }]),
    ).toEqual([
      'refuse ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 3 % in 2024',
    ]);
    expect(
      await findingsIn(month({ country: people }), month(), [{ rule: 'closed-years', dataset: 'country' }]),
    ).toEqual([]);
  });

  it('does not hide forecasts of the same country', async () => {
    const ggr: Change = (row) =>
      row.country === C ? { ...row, ggr: isForecast(row) ? 0 : Number(row.ggr) * 1.4 } : row;
    const accepted = { dataset: 'ggr', country: C } as const;
    expect(
      await findingsIn(month({ ggr }), month(), [
        { rule: 'totals', ...accepted },
        { rule: 'closed-years', ...accepted },
      ]),
    ).toEqual(['warn ggr: Country C (forecasts): all 30 values are 0 now']);
  });

  it('says which figures moved under a new name', async () => {
    const renamed = (change: Change = (row) => row) =>
      month({ ggr: (row) => (row.product === 'Lotto' ? { ...change(row), product: 'Draws' } : row) });
    const line = 'refuse ggr: a value was renamed: product "Lotto" → "Draws", with the same numbers in';
    expect(await findingsIn(renamed())).toEqual([`${line} all 360 rows`]);
    const cut = times('ggr', 0.09, C, ({ year, fx }) => year === 2024 && fx === 'USD');
    expect(await findingsIn(renamed(cut))).toContain(
      `${line} 359 of 360 rows; of the others, 1 moved by 10 % or more, most of all Country C 2024 Betting Online Onshore USD: 16,181,497 → 1,456,335`,
    );
    const short = renamed();
    const isLate = ({ country, product }: Row) => product === 'Draws' && String(country) < C;
    expect(await findingsIn({ ...short, ggr: (short.ggr ?? []).filter((row) => !isLate(row)) })).toContain(
      `${line} 300 of 360 rows; of the others, 60 are gone`,
    );
  });

  it('does not hide totals that moved by more than it explains', async () => {
    const lost: Change = (row) => (row.product === 'Bingo' ? { ...row, ggr: 0 } : row);
    const small: Change = (row) => (row.product === 'Bingo' ? { ...row, ggr: Number(row.ggr) / 50 } : row);
    const drift: Change = (row) =>
      row.product !== 'Bingo' && row.year === 2019
        ? { ...row, ggr: Number(row.ggr) * (1.055 + String(row.country).charCodeAt(8) / 5000) }
        : row;
    const accepted = [{ rule: 'structure', dataset: 'ggr' }] as const;
    const before = month({ ggr: small });
    const totals = async (change: Change) =>
      (await findingsIn(month({ ggr: change }), before, accepted)).filter((one) => one.includes('total'));
    expect(await totals((row) => lost(small(row)))).toEqual([]);
    expect(await totals((row) => drift(lost(small(row))))).toEqual([
      expect.stringMatching(/^refuse ggr: 2 closed-year totals moved by 5 % or more/),
    ]);
  });

  it('does not hide a country that grew by new rows', async () => {
    const lost: Change = (row) => (row.product === 'Lotto' ? { ...row, ggr: 0 } : row);
    const fresh = ggr().flatMap((row) =>
      row.country === C && row.product === 'Poker'
        ? [{ ...row, product: 'Keno', ggr: Math.round(Number(row.ggr) * 2.3) }]
        : [],
    );
    const after = { ...month(), ggr: [...ggr(lost), ...fresh] };
    expect(await findingsIn(after, month(), [{ rule: 'structure', dataset: 'ggr' }])).toContainEqual(
      expect.stringMatching(
        /^refuse ggr: Country C: product "Keno" is new, .*; closed years of Country C moved by/,
      ),
    );
  });
});

describe('half a year of figures', () => {
  const half = times('ggr', 0.53, C, ({ year }) => year === 2025);

  it('is a warning in first reports that are as far below their forecasts as below the year before', async () => {
    const forecasts = (row: Row) => (row.year === 2025 ? { ...row, temporal: 'Forecast' } : row);
    // Country C has a currency of its own.
    const own = (rows: Row[]) =>
      rows.map((row) => (row.country === C && row.fx === 'XTS' ? { ...row, fx: 'XXX' } : row));
    const before = { ggr: own(ggr(forecasts)) };
    expect(await findingsIn({ ggr: own(ggr(half)) }, before)).toEqual([
      'warn ggr: Country C, 2025: first reports are the forecasts ÷ 1.89, and far below 2024 as well; check that they cover the whole year',
    ]);
    // When the forecast was as low, the first report is no surprise.
    const known = { ggr: own(ggr((row) => forecasts(half(row)))) };
    expect(
      (await findingsIn({ ggr: own(ggr(half)) }, known)).filter((one) => one.includes('first reports')),
    ).toEqual([]);
  });

  it('is a warning in a year that begins', async () => {
    const upTo = (year: number, change: Change = (row) => row) => ({
      ggr: ggr(change).filter((row) => Number(row.year) <= year),
    });
    expect(await findingsIn(upTo(2025, half), upTo(2024))).toEqual([
      'warn ggr: Country C, 2025: the total is that of 2024 ÷ 1.88',
    ]);
    const third = times('ggr', 0.7, C, ({ year }) => year === 2025);
    expect(await findingsIn(upTo(2025, third), upTo(2024))).toEqual([]);
  });
});
