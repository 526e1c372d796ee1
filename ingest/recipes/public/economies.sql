-- Every economy of the World Bank's list, with its code, our name and our region.
SELECT Code AS code,
       coalesce(names.name, Economy) AS country,
       coalesce(by_code.region, by_region.region) AS region,
       classes._row
FROM classes
LEFT JOIN names ON names.published = Economy
LEFT JOIN regions AS by_code ON by_code.published = Code
LEFT JOIN regions AS by_region ON by_region.published = classes.Region
-- The World Bank's aggregates (World, Euro area, …) have no region.
WHERE classes.Region IS NOT NULL
