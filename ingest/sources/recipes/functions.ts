// Lists which functions of DuckDB the SELECTs of a recipe may call, and which not.

/** The allowed table functions. All others can read files or settings, or run SQL that is made at run time. */
export const TABLE_FUNCTIONS: readonly string[] = [
  'generate_series',
  'histogram',
  'histogram_values',
  'json_each',
  'json_tree',
  'range',
  'repeat',
  'repeat_row',
  'unnest',
];

/** The macros of DuckDB whose results depend only on their arguments. */
export const MACROS: ReadonlySet<string> = new Set(
  (
    'array_append array_pop_back array_pop_front array_prepend array_push_back array_push_front array_reverse ' +
    'array_to_string array_to_string_comma_default date_add days_in_month fdiv fmod generate_subscripts geomean ' +
    'geometric_mean json json_group_array json_group_object json_group_structure list_any_value list_append ' +
    'list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or ' +
    'list_count list_entropy list_first list_histogram list_kurtosis list_kurtosis_pop list_last list_mad list_max ' +
    'list_median list_min list_mode list_prepend list_product list_reverse list_sem list_skewness list_stddev_pop ' +
    'list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp map_contains_entry map_contains_value ' +
    'md5_number_lower md5_number_upper nullif regexp_split_to_table round_even roundbankers split_part wavg ' +
    'weighted_avg'
  ).split(' '),
);

/**
 * Functions that DuckDB declares as consistent although their results differ from run to run or between machines. Name →
 * number of arguments with which the function is refused; null when it is refused with any number.
 */
export const INCONSISTENT_FUNCTIONS: ReadonlyMap<string, number | null> = new Map([
  ['age', 1],
  ['current_localtime', null],
  ['current_localtimestamp', null],
  ['current_setting', null],
  ['getvariable', null],
  ['reservoir_quantile', null],
]);

/** Names that read the clock without parentheses, unless a column has the name. */
export const CLOCK_NAMES: ReadonlySet<string> = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
]);
