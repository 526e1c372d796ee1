-- The World Bank's indicators: a row per indicator, economy and year. Three mistakes that would silently lose rows stop the
-- publish: a file of another indicator, a file without an economy of another file, and a heading that is not a year.
WITH files AS (
  SELECT 'gdp_usd' AS indicator, 'NY.GDP.MKTP.CD' AS wanted, * FROM gdp_usd
  UNION ALL BY NAME SELECT 'gdp_local' AS indicator, 'NY.GDP.MKTP.CN' AS wanted, * FROM gdp_local
  UNION ALL BY NAME SELECT 'inflation' AS indicator, 'FP.CPI.TOTL.ZG' AS wanted, * FROM inflation
  UNION ALL BY NAME SELECT 'population' AS indicator, 'SP.POP.TOTL' AS wanted, * FROM population
  UNION ALL BY NAME SELECT 'share_15_64' AS indicator, 'SP.POP.1564.TO.ZS' AS wanted, * FROM share_15_64
  UNION ALL BY NAME SELECT 'share_65_up' AS indicator, 'SP.POP.65UP.TO.ZS' AS wanted, * FROM share_65_up
),
-- The economies that a file lacks. Every file has the same economies, even those without figures. No file has Taiwan.
lacking AS (
  SELECT indicator, country
  FROM (SELECT DISTINCT indicator FROM files)
  CROSS JOIN (SELECT code, country FROM economies SEMI JOIN files ON "Country Code" = code)
  ANTI JOIN (SELECT indicator, "Country Code" AS code FROM files) USING (indicator, code)
),
complete AS (
  SELECT CASE WHEN count(*) = 0 THEN true
              ELSE error('the file of ' || min(indicator) || ' has no row of ' || min(country) ||
                         ': it may be cut off, or the code of the economy is new') END AS is_complete
  FROM lacking
)
SELECT indicator, "Country Code" AS code, _row, value,
       CASE WHEN "Indicator Code" <> wanted
            THEN error('the file of ' || indicator || ' has the indicator ' || "Indicator Code" || ', not ' || wanted)
            WHEN regexp_full_match(heading, '\d{4}') THEN heading
            ELSE error('the file of ' || indicator || ' has the column "' || heading || '": its name must be a year')
       END AS year
FROM (UNPIVOT files ON COLUMNS(* EXCLUDE (indicator, wanted, _row, "Country Name", "Country Code", "Indicator Name",
                                          "Indicator Code")) INTO NAME heading VALUE value)
CROSS JOIN complete
WHERE is_complete
