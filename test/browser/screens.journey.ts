import assert from 'node:assert/strict'
import { fillWorld, hostile } from './busy_world.ts'
import { crawl, goTo, screensOf } from './crawl.ts'
import { createInspector } from './inspect.ts'
import type { Journey } from './stage.ts'

/** Of the busy world. Buttons and fields lead there. */
const UNLINKED = ['#/faults/1/edit', '#/live?item=MLA1400000001']

export const journeys: Journey[] = [
  {
    title: 'screens: a world in which everything has happened, with hostile text, accessible and in all languages',
    server: { autoSnapshots: 10 },
    async run(stage) {
      await fillWorld(stage)
      const { inspect, inspectSimilar, close } = createInspector(stage)
      const kinds = await crawl(stage, (address) => inspect(address))
      assert.ok(screensOf(kinds).length > 12 && kinds.size > 25, [...kinds.keys()].join())
      for (const address of UNLINKED) {
        await goTo(stage.page, address)
        await inspect(address)
      }
      await inspectSimilar([...kinds.values()].flatMap(([, ...others]) => others))
      close()
    },
  },
  {
    title: 'screens: an empty world, accessible and in all languages, also at wrong addresses',
    server: { scenario: 'empty' },
    async run(stage) {
      const { inspect, inspectSimilar, close } = createInspector(stage)
      const kinds = await crawl(stage, (address) => inspect(address, { withDialogs: false }))
      const text = encodeURIComponent(hostile(300))
      await inspectSimilar(
        screensOf(kinds).flatMap((name) => [
          `#/${name}/${text}?q=${text}&status=${text}&age=${text}`,
          `#/${name}/0/${text}`,
        ]),
      )
      close()
    },
  },
]
