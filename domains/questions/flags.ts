/**
 * The flags of a question, each with what it says: a column of 0 or 1, a member of control answers and of world files, and
 * a change that the control plane makes. Whether the emulated API has it is up to schemas.ts and present.ts.
 */
export const FLAGS = {
  deleted_from_listing: 'It does not show on the page of the listing any more',
  hold: 'It waits for moderation',
  suspected_spam: 'The filter takes it for spam',
  hidden: 'Its seller’s searches leave it out',
} as const

export type Flag = keyof typeof FLAGS
export const FLAG_NAMES = Object.keys(FLAGS) as Flag[]

/** An object with a value for each flag. */
export const eachFlag = <Value>(value: (name: Flag) => Value): Record<Flag, Value> =>
  Object.fromEntries(FLAG_NAMES.map((name) => [name, value(name)])) as Record<Flag, Value>

/** The columns as members. */
export const flagsOf = (row: Record<Flag, number>): Record<Flag, boolean> => eachFlag((name) => row[name] === 1)
