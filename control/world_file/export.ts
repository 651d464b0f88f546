import { timeIn } from '../../db/clock.ts'
import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import { readWorldRow } from '../../db/world.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import type { ExportContext, NameSecret, WorldFileList } from '../../domains/world_file.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { readCounters } from './queries.ts'
import { LISTS } from './sections.ts'

/**
 * Yields the text of a world's file in parts; `q` reads a copy of the world. Equal worlds have equal bytes. With
 * `nameSecret` the file has all tokens and secrets, by names.
 */
export async function* exportWorld(q: Q, nameSecret?: NameSecret): AsyncGenerator<string> {
  const { id, origin, seed, clock_mode: mode, clock_ms: ms, switches } = await readWorldRow(q)
  const clock = mode === 'real' ? { mode } : { mode, now: utcMillis(timeIn({ mode, ms })) }
  yield '{\n  "version": 1,\n'
  yield member('clock', clock) +
    member('seed', seed) +
    member('assumptions', nonDefaultSwitches(SWITCHES, JSON.parse(switches)))
  for (const [name, list] of LISTS) yield* exportList(name, list, { q, id, origin, nameSecret })
  yield `  "counters": ${JSON.stringify(await readCounters(q))}\n}\n`
}

const member = (name: string, value: unknown): string => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`

async function* exportList(name: string, list: WorldFileList, context: ExportContext): AsyncGenerator<string> {
  const defaults = defaultsOf(list)
  const start = `  ${JSON.stringify(name)}: [`
  let separator = `${start}\n`
  let isEmpty = true
  for await (const elements of list.export(context)) {
    let text = ''
    for (const element of elements) {
      const members = Object.entries(element).filter(([name, value]) => JSON.stringify(value) !== defaults.get(name))
      text += `${separator}    ${JSON.stringify(Object.fromEntries(members))}`
      separator = ',\n'
      isEmpty = false
    }
    yield text
    // SQLite answers synchronously: reading alone would block the event loop.
    await yieldToEventLoop()
  }
  if (!isEmpty) yield '\n  ],\n'
  else if (!list.isOmittedIfEmpty) yield `${start}],\n`
}

/** The JSON of the default of each member. */
const defaultsOf = ({ element }: WorldFileList): Map<string, string | undefined> =>
  new Map(Object.entries(element.properties).map(([name, schema]) => [name, JSON.stringify(schema.default)]))
