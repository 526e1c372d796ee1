-- Every economy, with our name and our region.
SELECT region, country,
       -- ggr has figures of the United Kingdom (Great Britain) and Macau.
       CASE WHEN code IN ('GBR', 'MAC') THEN 'Tracked' ELSE 'Untracked' END AS country_type,
       'classes' AS _table, _row
FROM economies
