import assert from 'node:assert/strict'
import { fillWorld, hostile } from './busy_world.ts'
import { crawl, screensOf } from './crawl.ts'
import { inspectAll } from './inspect.ts'
import type { Journey } from './stage.ts'

/** Of the busy world. Buttons and fields lead there. */
const UNLINKED = ['#/faults/1/edit', '#/live?item=MLA1400000001']

export const journeys: Journey[] = [
  {
    title: 'screens: a world in which everything has happened, with hostile text, accessible and in all languages',
    server: { autoSnapshots: 10 },
    async run(stage) {
      await fillWorld(stage)
      const kinds = await crawl(stage)
      assert.ok(screensOf(kinds).length > 12 && kinds.size > 25, [...kinds.keys()].join())
      const all = [...kinds.values()]
      await inspectAll(stage, [...all.map(([first]) => first!), ...UNLINKED])
      await inspectAll(
        stage,
        all.flatMap(([, ...others]) => others),
        { languages: ['es'], withDialogs: false, withAxe: false },
      )
    },
  },
  {
    title: 'screens: an empty world, accessible and in all languages, also at wrong addresses',
    server: { scenario: 'empty' },
    async run(stage) {
      const screens = screensOf(await crawl(stage))
      await inspectAll(
        stage,
        screens.map((name) => `#/${name}`),
        { withDialogs: false },
      )
      const text = encodeURIComponent(hostile(300))
      await inspectAll(
        stage,
        screens.flatMap((name) => [`#/${name}/${text}?q=${text}&status=${text}&age=${text}`, `#/${name}/0/${text}`]),
        { languages: ['es'], withDialogs: false },
      )
    },
  },
]
