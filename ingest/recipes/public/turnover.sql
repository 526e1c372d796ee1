-- Turnover of Great Britain by product: the turnover blocks of the Gambling Commission's sector sheets.
-- A sheet has several blocks below each other. A block has a row of titles, a row of headings, and a row per period.
WITH cells AS (
  SELECT sheet, _row, letter, lpad(letter, 3, ' ') AS position, trim(regexp_replace(text, '\s+', ' ', 'g')) AS text
  FROM (
    UNPIVOT (
      SELECT '6a' AS sheet, * FROM gb_6a
      UNION ALL BY NAME SELECT '6b' AS sheet, * FROM gb_6b
      UNION ALL BY NAME SELECT '6c' AS sheet, * FROM gb_6c
      UNION ALL BY NAME SELECT '7a' AS sheet, * FROM gb_7a
      UNION ALL BY NAME SELECT '8a' AS sheet, * FROM gb_8a
      UNION ALL BY NAME SELECT '10a' AS sheet, * FROM gb_10a
      UNION ALL BY NAME SELECT '10b' AS sheet, * FROM gb_10b
      UNION ALL BY NAME SELECT '10c' AS sheet, * FROM gb_10c
      UNION ALL BY NAME SELECT '12' AS sheet, * FROM gb_12
    ) ON COLUMNS(* EXCLUDE (sheet, _row)) INTO NAME letter VALUE text
  )
),
blocks AS (
  SELECT sheet, _row AS heading_row,
         row_number() OVER (PARTITION BY sheet ORDER BY _row) AS block,
         lead(_row, 1, 1000000) OVER (PARTITION BY sheet ORDER BY _row) AS next_row
  FROM cells WHERE letter = 'A' AND text = 'Reporting Period'
),
-- A title is in the first of the columns over which it is merged. A column without a title has a complete heading.
headings AS (
  SELECT sheet, block, heading_row, next_row, cells.position, any_value(cells.text) AS heading,
         coalesce(max_by(titles.text, titles.position), any_value(cells.text)) AS title
  FROM blocks
  JOIN cells USING (sheet)
  LEFT JOIN cells AS titles
    ON titles.sheet = blocks.sheet AND titles._row = heading_row - 1 AND titles.position <= cells.position
  WHERE cells._row = heading_row AND cells.letter <> 'A'
  GROUP BY ALL
),
columns AS (
  SELECT sheet, block, heading_row, next_row, position, heading = 'Total' AS is_total,
         coalesce(category, CASE WHEN heading IN ('Total', '% Change') THEN '(total)' ELSE
           error('sheet ' || sheet || ': add the new column "' || heading || '" to gb_turnover.csv') END) AS category,
         product, channel, sub_channel
  FROM headings LEFT JOIN gb_turnover USING (sheet, block, heading)
  WHERE CASE WHEN title LIKE 'Turnover%' AND title <> 'Turnover (£m)'
             THEN error('sheet ' || sheet || ': the title "' || title || '" is no longer "Turnover (£m)"')
             ELSE title = 'Turnover (£m)' END
),
-- 'Apr 2008 - Mar 2009' and parts of such a year. Quarters ('Apr - Jun 2019') are left out: the row of the year has them.
periods AS (
  SELECT sheet, _row, try_strptime(months.first, '%b %Y') AS first_month,
         try_strptime(months.last, '%b %Y') AS last_month
  FROM (
    SELECT sheet, _row, text,
           regexp_extract(text, '^(\w{3} \d{4}) - (\w{3} \d{4}) ?[RP]?$', ['first', 'last']) AS months
    FROM cells JOIN blocks USING (sheet)
    WHERE letter = 'A' AND _row > heading_row AND _row < next_row AND regexp_matches(text, '\d{4}')
  )
  WHERE CASE WHEN months.first <> '' THEN true WHEN regexp_matches(text, '^\w{3} - \w{3} \d{4}') THEN false
             ELSE error('sheet ' || sheet || ', row ' || _row || ': "' || text || '" is not a period') END
),
stakes AS (
  SELECT columns.* EXCLUDE (heading_row, next_row, position), _row,
         -- A year from April to March has nine of its months in the first calendar year.
         year(first_month - INTERVAL 3 MONTH) AS year,
         first_month, datediff('month', first_month, last_month) + 1 AS months,
         -- A dash, n/a and a nought mean an unknown figure.
         nullif(CASE WHEN text IN ('-', 'n/a', 'N/A') THEN NULL ELSE text END::DOUBLE, 0) AS million
  FROM columns
  JOIN cells USING (sheet, position)
  JOIN periods USING (sheet, _row)
  WHERE _row > heading_row AND _row < next_row AND category <> '(elsewhere)'
),
known AS (
  SELECT *,
         -- A year that is not broken down has the total of the block, with the sector as its product.
         NOT is_total OR (product IS NOT NULL AND max(million) FILTER (NOT is_total) OVER row IS NULL) AS counts
  FROM stakes
  WINDOW row AS (PARTITION BY sheet, block, _row)
),
-- The law of November 2014 splits that year over two sheets. Its parts are added. A year without one of its parts is left out.
complete AS (
  SELECT category, channel, year
  FROM (SELECT DISTINCT category, channel, year, first_month, months FROM stakes WHERE million IS NOT NULL)
  GROUP BY ALL HAVING sum(months) = 12
)
SELECT year, region, country, 'Great Britain' AS state, category, product, channel, sub_channel,
       'GBP' AS fx, 'Current' AS temporal,
       -- 15 digits, as shown by spreadsheet programs. Further digits come from the conversion to binary fractions.
       format('{:.15g}', sum(million) * 1000000)::DOUBLE AS turnover,
       'gb_' || min_by(sheet, first_month) AS _table, min_by(_row, first_month) AS _row
FROM known
SEMI JOIN complete USING (category, channel, year)
CROSS JOIN (SELECT region, country FROM economies WHERE code = 'GBR') AS place
WHERE counts AND million IS NOT NULL
GROUP BY ALL
