-- Exchange rates: a row per country and year. The World Bank has local currency per US dollar (average of the year).
-- Our rates are the inverse: US dollars and euros per unit of local currency.
WITH published AS (
  SELECT "Country Code" AS code, year::INTEGER AS year, rate::DOUBLE AS rate, _row
  FROM (UNPIVOT exchange_rates ON COLUMNS('^\d{4}$') INTO NAME year VALUE rate)
),
euro AS (SELECT year, rate, _row FROM published WHERE code = 'EMU'),
-- The last complete year, because only complete years have an average. The euro area's is published early.
last_year AS (SELECT max(year) AS year FROM euro),
own AS (SELECT code, year, rate, 'Reported' AS calculation, _row FROM published SEMI JOIN economies USING (code)),
-- A country's own series ends when it adopts the euro. From then on, it has the rate of the euro area.
adopted AS (
  SELECT currencies.code, euro.year, euro.rate, 'Calculated' AS calculation, euro._row
  FROM currencies
  JOIN country_codes ON "ISO3166-1-Alpha-3" = currencies.code AND "ISO4217-currency_alphabetic_code" = 'EUR'
  JOIN euro ON euro.year > currencies.until::INTEGER
  ANTI JOIN own ON own.code = currencies.code AND own.year = euro.year
),
rates AS (
  SELECT series.*,
         -- currencies.csv comes first. It has former currencies, and for countries with several currencies that of the rate.
         coalesce(
           (SELECT min_by(currency, coalesce(until::INTEGER, 9999)) FROM currencies
            WHERE currencies.code = series.code AND (until IS NULL OR series.year <= until::INTEGER)),
           (SELECT any_value("ISO4217-currency_alphabetic_code") FROM country_codes
            WHERE "ISO3166-1-Alpha-3" = series.code)
         ) AS currency
  FROM (FROM own UNION ALL FROM adopted) AS series
),
-- The rate of each currency in the last year. A currency that is gone by then has none.
constants AS (SELECT code, currency, rate FROM rates JOIN last_year USING (year))
SELECT rates.year, region, country, '' AS state, rates.currency AS fx_local_currency,
       'Current' AS temporal, calculation,
       1 / rates.rate AS fx_current_usd,
       1 / constants.rate AS fx_constant_usd,
       -- One euro is 1 EUR, even for a country whose own dollar rate of the euro differs from the euro area's.
       CASE WHEN euro.rate IS NULL THEN NULL WHEN rates.currency = 'EUR' THEN 1
            ELSE euro.rate / rates.rate END AS fx_current_eur,
       CASE WHEN euro.rate IS NULL OR constants.rate IS NULL THEN NULL WHEN rates.currency = 'EUR' THEN 1
            ELSE last_euro.rate / constants.rate END AS fx_constant_eur,
       'exchange_rates' AS _table, rates._row
FROM rates
JOIN economies USING (code)
LEFT JOIN constants ON constants.code = rates.code AND constants.currency = rates.currency
-- Years before 1999 have no row here, because there was no euro.
LEFT JOIN euro ON euro.year = rates.year
CROSS JOIN (SELECT rate FROM euro JOIN last_year USING (year)) AS last_euro
