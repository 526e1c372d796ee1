// The settings of the guards: the shares at which each warns and refuses, such as the relative change of a number of rows.

import { parseShare } from './settingTexts.ts';

const guardSetting = (fallback: string, description: string) => ({
  fallback,
  description,
  what: 'a share',
  allowed: 'a number from 0; 0.05 is 5 %',
  parse: parseShare,
});

export const guardSettings = {
  GUARD_ROWS_WARN: guardSetting('0.05', "The change of a dataset's number of rows at which a guard warns"),
  GUARD_ROWS_REFUSE: guardSetting('0.2', 'The one at which it refuses'),
  GUARD_TOTALS_WARN: guardSetting(
    '0.01',
    'The change of a total by metric, currency and year at which a guard warns',
  ),
  GUARD_TOTALS_REFUSE: guardSetting('0.15', 'The one at which it refuses'),
  GUARD_CLOSED_YEARS_WARN: guardSetting(
    '0.005',
    'The change of such a total of a closed year at which a guard warns',
  ),
  GUARD_CLOSED_YEARS_REFUSE: guardSetting(
    '0.05',
    'The one at which it refuses; for rates and other metrics that do not add up, the share of values that were much revised',
  ),
  GUARD_COUNTRY_WARN: guardSetting(
    '0.1',
    "The change of a country's total of closed years at which a guard warns",
  ),
  GUARD_COUNTRY_REFUSE: guardSetting('0.25', 'The one at which it refuses'),
  GUARD_PART_WARN: guardSetting(
    '0.25',
    'The change of a part of a country, such as a product, at which a guard warns, if the part is material',
  ),
  GUARD_PART_REFUSE: guardSetting('0.5', 'The one at which it refuses'),
  GUARD_MATERIAL_WARN: guardSetting(
    '0.001',
    "The share of the country's total at which a guard warns of zeros, leaps and vanished rows",
  ),
  GUARD_MATERIAL_REFUSE: guardSetting('0.01', 'The one at which it refuses them'),
} as const;
