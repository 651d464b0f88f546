import { type Assumptions, COMMON_ASSUMPTIONS } from '../http/assumptions.ts'
import type { Switch, SwitchValues } from '../http/switches.ts'
import { DOMAINS } from './index.ts'

/** All assumptions, sorted by name. */
export const ASSUMPTIONS: Assumptions = Object.fromEntries(
  [COMMON_ASSUMPTIONS, ...DOMAINS.map(({ assumptions }) => assumptions)]
    .flatMap((assumptions) => Object.entries(assumptions))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** The values of all switches, sorted by name. */
export const SWITCHES: SwitchValues = Object.fromEntries(
  Object.values(ASSUMPTIONS)
    .map(({ value }) => value)
    .filter((value): value is Switch => typeof value !== 'string')
    .map(({ name, values }) => [name, values]),
)
