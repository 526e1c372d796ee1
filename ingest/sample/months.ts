// The two months of the sample; the second is the first with its revisions.

export const MONTHS = ['2026-10', '2026-11'] as const;

export type Month = (typeof MONTHS)[number];
