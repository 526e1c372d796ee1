// Recognises names of groups of countries, such as `European Union`, whose figures contain those of their members.

import { looseKey } from '../messages/spelling.ts';

/** Whether a text names a group of countries. `Rest of Europe` is no group, because it excludes the countries that have rows. */
export const isCountryGroup = (text: string): boolean => GROUPS.has(looseKey(text).replace(/^the/, ''));

const GROUPS: ReadonlySet<string> = new Set(
  [
    ...['European Union', 'EU', 'EU-15', 'EU-25', 'EU-27', 'EU-28', 'EEA', 'Euro area', 'Eurozone', 'EMU'],
    ...['OECD', 'OECD members', 'G7', 'G8', 'G20', 'BRICS', 'ASEAN', 'GCC', 'CIS', 'Commonwealth'],
    ...['EMEA', 'MENA', 'APAC', 'LATAM', 'DACH', 'Benelux', 'Nordics', 'Nordic countries', 'Scandinavia'],
    ...['Baltics', 'Baltic states', 'Balkans', 'Iberia', 'British Isles', 'Gulf states', 'Middle East'],
    ...['Europe', 'Western Europe', 'Eastern Europe', 'Central Europe', 'Northern Europe', 'Southern Europe'],
    ...['Africa', 'North Africa', 'Northern Africa', 'Sub-Saharan Africa', 'West Africa', 'East Africa'],
    ...['Southern Africa', 'Middle Africa', 'Central Africa', 'Asia', 'Asia Pacific', 'Asia & Pacific'],
    ...['East Asia', 'Eastern Asia', 'South Asia', 'Southern Asia', 'Southeast Asia', 'South-eastern Asia'],
    ...['Central Asia', 'Western Asia', 'East Asia & Pacific', 'Europe & Central Asia', 'Oceania'],
    ...['Americas', 'North America', 'Northern America', 'Central America', 'South America', 'Latin America'],
    ...['Latin America & Caribbean', 'Latin America and the Caribbean', 'Latin America and Caribbean'],
    ...['Caribbean', 'Middle East & North Africa', 'Middle East and North Africa', 'Australasia'],
    ...['High income', 'Upper middle income', 'Middle income', 'Lower middle income', 'Low income'],
    ...['Developed markets', 'Emerging markets', 'Developing countries', 'Least developed countries'],
  ].map(looseKey),
);
