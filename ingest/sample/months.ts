// Names the two months of the sample. The second month is the first with revisions.

export const MONTHS = ['2026-10', '2026-11'] as const;

export type Month = (typeof MONTHS)[number];
