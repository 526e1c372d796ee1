-- Every economy, under our name and in our region.
SELECT region, country,
       -- A market is tracked when ggr follows it: the United Kingdom (Great Britain) and Macau.
       CASE WHEN code IN ('GBR', 'MAC') THEN 'Tracked' ELSE 'Untracked' END AS country_type,
       'classes' AS _table, _row
FROM economies
