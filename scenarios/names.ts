export const SCENARIOS = ['demo', 'quiet', 'empty'] as const
export type Scenario = (typeof SCENARIOS)[number]

/** What a world from a world file has in place of a scenario. */
export const FILE_SCENARIO = 'file'

/** A Monday, 04:00Z: days begin at this hour in statistics. Scenarios are generated for it, with a week after it. */
export const MONDAY = Date.UTC(2024, 0, 1, 4)

/** The seed whose files are shipped; those of other seeds are generated when needed. */
export const SHIPPED_SEED = 1
