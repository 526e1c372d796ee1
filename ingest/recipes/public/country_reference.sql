-- Every economy the World Bank classifies, under our name and in our region.
SELECT coalesce(by_code.region, by_region.region) AS region,
       coalesce(names.name, Economy) AS country,
       -- A market is tracked when ggr follows it: the United Kingdom (Great Britain) and Macau.
       CASE WHEN Code IN ('GBR', 'MAC') THEN 'Tracked' ELSE 'Untracked' END AS country_type,
       'classes' AS _table, classes._row
FROM classes
LEFT JOIN names ON names.published = Economy
LEFT JOIN regions AS by_code ON by_code.published = Code
LEFT JOIN regions AS by_region ON by_region.published = classes.Region
-- Only economies have a region; aggregates (World, Euro area, …) have none.
WHERE classes.Region IS NOT NULL
