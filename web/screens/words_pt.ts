import { pt as assumptions } from './assumptions/words_pt.ts'
import { pt as clock } from './clock/words_pt.ts'
import { pt as credits } from './credits/words_pt.ts'
import { pt as faults } from './faults/words_pt.ts'
import { pt as flex } from './flex/words_pt.ts'
import { pt as live } from './live/words_pt.ts'
import { pt as questions } from './questions/words_pt.ts'
import { pt as requests } from './requests/words_pt.ts'
import { pt as settings } from './settings/words_pt.ts'
import { pt as start } from './start/words_pt.ts'
import { pt as statistics } from './statistics/words_pt.ts'
import { pt as webhooks } from './webhooks/words_pt.ts'
import { pt as worlds } from './worlds/words_pt.ts'

export const pt = {
  assumptions,
  clock,
  credits,
  faults,
  flex,
  live,
  questions,
  requests,
  settings,
  start,
  statistics,
  webhooks,
  worlds,
}
