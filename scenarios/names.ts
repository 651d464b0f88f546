export const SCENARIOS = ['demo', 'empty'] as const
export type Scenario = (typeof SCENARIOS)[number]

/** A Monday, 04:00Z: where days begin in statistics. Every scenario is made for it, with a week of future. */
export const MONDAY = Date.UTC(2024, 0, 1, 4)

/** The seed whose files are shipped; others are made when asked for. */
export const SHIPPED_SEED = 1
