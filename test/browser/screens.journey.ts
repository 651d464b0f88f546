import assert from 'node:assert/strict'
import { fillWorld, hostile } from './busy_world.ts'
import { crawl, goTo, screensOf } from './crawl.ts'
import { createInspector } from './inspect.ts'
import type { Journey } from './stage.ts'

/** Of the busy world. Buttons and fields lead there. */
const UNLINKED = ['#/faults/1/edit', '#/live?item=MLA1400000001']
const SIMILAR = ['#/statistics/2500000101?unit=day', '#/worlds/diff?from=now&to=world:2', '#/clock?kind=lead']
/** What screens of an empty world say about how to get something. */
const WAYS: Record<string, string[]> = {
  credits: ['No hay solicitudes de crédito'],
  flex: ['No hay suscripciones'],
  live: ['Este mundo no tiene publicaciones activas', '"seller_id":2500000101'],
  orders: ['Todavía no hay ventas'],
  statistics: ['Sin contactos en este período', 'mercadito simulate --days 30'],
}

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
      await inspectSimilar([...SIMILAR, ...[...kinds.values()].flatMap(([, ...others]) => others)])
      close()
    },
  },
  {
    title: 'screens: an empty world, accessible and in all languages, also at wrong addresses',
    server: { scenario: 'empty' },
    async run(stage) {
      const { page, control, info } = stage
      const { inspect, inspectSimilar, close } = createInspector(stage)
      const kinds = await crawl(stage, async (address, kind) => {
        for (const text of WAYS[kind] ?? []) await page.getByText(text).waitFor()
        await inspect(address, { withDialogs: false })
      })
      const text = encodeURIComponent(hostile(300))
      await inspectSimilar(
        screensOf(kinds).flatMap((name) => [
          `#/${name}/${text}?q=${text}&status=${text}&age=${text}`,
          `#/${name}/0/${text}`,
        ]),
      )
      await page.setViewportSize({ width: 1280, height: 800 })
      await goTo(page, '#/live')
      await control.call('POST /items', { body: { title: 'Mouse', seller_id: info.sellers[0]!.id } })
      await page.getByLabel('Tu pregunta').waitFor()
      close()
    },
  },
]
