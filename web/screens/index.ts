import assumptions from './assumptions/index.ts'
import clock from './clock/index.ts'
import credits from './credits/index.ts'
import faults from './faults/index.ts'
import flex from './flex/index.ts'
import live from './live/index.ts'
import overview from './overview/index.ts'
import questions from './questions/index.ts'
import requests from './requests/index.ts'
import type { Screen } from './screen.ts'
import settings from './settings/index.ts'
import start from './start/index.ts'
import statistics from './statistics/index.ts'
import webhooks from './webhooks/index.ts'
import worlds from './worlds/index.ts'

/** All screens in the order of the menu. A blank line of the menu follows each group. */
export const SCREEN_GROUPS: Screen[][] = [
  [start, live, overview, questions, requests, webhooks],
  [statistics, flex, credits],
  [clock, worlds, faults, assumptions, settings],
]

export const SCREENS = SCREEN_GROUPS.flat()
