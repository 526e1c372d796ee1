-- Country indicators: a row per country and year with at least one of them.
WITH usd AS (FROM indicators WHERE indicator = 'gdp_usd'),
local AS (FROM indicators WHERE indicator = 'gdp_local'),
prices AS (FROM indicators WHERE indicator = 'inflation'),
people AS (FROM indicators WHERE indicator = 'population'),
working AS (FROM indicators WHERE indicator = 'share_15_64'),
retired AS (FROM indicators WHERE indicator = 'share_65_up'),
adults AS (
  SELECT code, year, people._row,
         round(people.value::DOUBLE * (working.value::DOUBLE + retired.value::DOUBLE) / 100) AS value
  FROM people
  JOIN working USING (code, year)
  JOIN retired USING (code, year)
),
facts AS (
  SELECT code, year,
         local.value AS gdp_local_currency,
         usd.value AS gdp_usd,
         adults.value AS adult_population,
         prices.value AS inflation,
         -- Messages about this row name the first of the files that holds its country and year.
         CASE WHEN usd._row IS NOT NULL THEN 'gdp_usd' WHEN local._row IS NOT NULL THEN 'gdp_local'
              WHEN prices._row IS NOT NULL THEN 'inflation' ELSE 'population' END AS _table,
         coalesce(usd._row, local._row, prices._row, adults._row) AS _row
  FROM usd
  FULL JOIN local USING (code, year)
  FULL JOIN prices USING (code, year)
  FULL JOIN adults USING (code, year)
)
SELECT year, region, country, '' AS state, 'Current' AS temporal,
       -- Adults are computed here, so a row with adults alone has no published figure.
       CASE WHEN coalesce(gdp_local_currency, gdp_usd, inflation) IS NULL
            THEN 'Calculated' ELSE 'Reported' END AS calculation,
       gdp_local_currency, gdp_usd, adult_population, inflation,
       _table, facts._row
FROM facts
JOIN economies USING (code)
