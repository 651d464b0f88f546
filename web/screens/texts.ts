import { texts as search } from '../shell/texts.ts'
import { texts as assumptions } from './assumptions/texts.ts'
import { texts as clock } from './clock/texts.ts'
import { texts as credits } from './credits/texts.ts'
import { texts as faults } from './faults/texts.ts'
import { texts as flex } from './flex/texts.ts'
import { texts as listings } from './listings/texts.ts'
import { texts as live } from './live/texts.ts'
import { texts as orders } from './orders/texts.ts'
import { texts as questions } from './questions/texts.ts'
import { texts as requests } from './requests/texts.ts'
import { texts as settings } from './settings/texts.ts'
import { texts as shared } from './shared/texts.ts'
import { texts as start } from './start/texts.ts'
import { texts as statistics } from './statistics/texts.ts'
import { texts as users } from './users/texts.ts'
import { texts as webhooks } from './webhooks/texts.ts'
import { texts as worlds } from './worlds/texts.ts'

const own = {
  assumptions,
  clock,
  credits,
  faults,
  flex,
  listings,
  live,
  orders,
  questions,
  requests,
  settings,
  start,
  statistics,
  users,
  webhooks,
  worlds,
}
type WithShared<T> = Omit<typeof shared, keyof T> & T

/** The texts of each screen, with those that it shares with others. */
const byScreen = Object.fromEntries(
  Object.entries(own).map(([screen, texts]) => [screen, { ...shared, ...texts }]),
) as { [Screen in keyof typeof own]: WithShared<(typeof own)[Screen]> }
export const texts = { search, ...byScreen }
