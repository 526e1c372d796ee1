-- Gross gambling yield of Great Britain by sector: the overview sheet of the Gambling Commission's workbook.
-- Gross gaming revenue of Macau: the regulator's months, summed over complete years.
WITH cells AS (
  UNPIVOT gb_1 ON COLUMNS(* EXCLUDE (_row)) INTO NAME letter VALUE text
),
labels AS (SELECT _row, text AS label FROM cells WHERE letter = 'A'),
-- Stops unless the title has the expected unit, and the heading marks the begin of the table.
known AS (
  SELECT CASE WHEN NOT bool_or(text LIKE '%Gross Gambling Yield by Sector (£m)')
              THEN error('sheet 1 has no title "Gross Gambling Yield by Sector (£m)": is its unit another one?')
              WHEN NOT bool_or(text = 'Reporting Period') THEN error('sheet 1 has no heading "Reporting Period"')
              ELSE true END AS is_known
  FROM cells
),
headings AS (
  SELECT letter, trim(regexp_replace(text, '\s+', ' ', 'g')) AS heading, _row AS heading_row
  FROM cells JOIN labels USING (_row)
  WHERE label = 'Reporting Period' AND letter <> 'A'
),
-- 'Apr 2008 - Mar 2009', with R (revised) or P (provisional) at the end of some.
periods AS (
  SELECT _row, label, regexp_extract(label, '^(\w{3} \d{4}) - (\w{3} \d{4}) ?[RP]?$', ['first', 'last']) AS months
  FROM labels WHERE _row > (SELECT min(heading_row) FROM headings)
),
yields AS (
  SELECT _row,
         -- A year from April to March has nine of its months in the first calendar year.
         CASE WHEN datediff('month', try_strptime(months.first, '%b %Y'), try_strptime(months.last, '%b %Y')) = 11
              THEN right(months.first, 4)
              ELSE error('sheet 1, row ' || _row || ': "' || label || '" is not a year from month to month') END AS year,
         coalesce(category, error('sheet 1: add the new column "' || heading || '" to gb_sectors.csv')) AS category,
         product, channel, sub_channel,
         text::DOUBLE AS million
  FROM cells
  JOIN headings USING (letter)
  JOIN periods USING (_row)
  LEFT JOIN gb_sectors USING (heading)
  CROSS JOIN known
  WHERE is_known
),
macau AS (
  SELECT CASE WHEN json_extract_string(text, '$.unit') = '百萬澳門元' THEN _row
              ELSE error('the unit of Macau''s months is no longer million MOP') END AS _row,
         unnest(json_extract(text, '$.years[*]')) AS entry
  FROM macau_months
),
macau_years AS (
  SELECT _row, json_extract_string(entry, '$.year') AS year,
         list_transform(json_extract(entry, '$.data[*]'), lambda month: try_cast(month AS DOUBLE)) AS months
  FROM macau
)
SELECT year, region, country, 'Great Britain' AS state, category, product, channel, sub_channel,
       'GBP' AS fx, 'Current' AS temporal,
       -- 15 digits, as shown by spreadsheet programs. Further digits come from the conversion to binary fractions.
       format('{:.15g}', million * 1000000)::DOUBLE AS ggr,
       'gb_1' AS _table, yields._row
FROM yields JOIN economies ON economies.code = 'GBR'
WHERE category <> '(total)'
UNION ALL
SELECT year, region, country, '', 'Gaming', 'Casino', 'Land', 'Venue', 'MOP', 'Current',
       list_sum(months) * 1000000, 'macau_months', macau_years._row
FROM macau_years JOIN economies ON economies.code = 'MAC'
-- A year has a row only when all its months are published.
WHERE list_count(months) = 12
