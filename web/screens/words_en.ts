import { en as assumptions } from './assumptions/words_en.ts'
import { en as clock } from './clock/words_en.ts'
import { en as credits } from './credits/words_en.ts'
import { en as faults } from './faults/words_en.ts'
import { en as flex } from './flex/words_en.ts'
import { en as live } from './live/words_en.ts'
import { en as questions } from './questions/words_en.ts'
import { en as requests } from './requests/words_en.ts'
import { en as settings } from './settings/words_en.ts'
import { en as start } from './start/words_en.ts'
import { en as statistics } from './statistics/words_en.ts'
import { en as webhooks } from './webhooks/words_en.ts'
import { en as worlds } from './worlds/words_en.ts'

export const en = {
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
