import { timeIn } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { readWorldRow } from '../../db/world.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { seededKey } from '../../scenarios/index.ts'
import { type Line, PART_CHARACTERS } from './format.ts'
import type { SecretNames } from './secrets.ts'

/** The lines of a state; `q` reads a copy of it. */
export async function* stateLines(q: Q, names: SecretNames): AsyncGenerator<Line> {
  const { id, scenario, seed, key, clock_mode: mode, clock_ms: ms, switches } = await readWorldRow(q)
  yield {
    ...{ kind: 'state', world: id, at: utcMillis(timeIn({ mode, ms })), clock: mode, scenario, seed },
    assumptions: { ...nonDefaultSwitches(SWITCHES, JSON.parse(switches)) },
    deterministic: key === seededKey(scenario, seed, id),
  }
  const { exportWorld } = await import('../world_file/export.ts')
  let text = ''
  for await (const more of exportWorld(q, names.nameOf)) {
    text += names.inState(more)
    for (; text.length > PART_CHARACTERS; text = text.slice(PART_CHARACTERS))
      yield { kind: 'part', text: text.slice(0, PART_CHARACTERS) }
  }
  yield { kind: 'part', text }
  yield { kind: 'state end' }
}
