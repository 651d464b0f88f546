import type { World } from '../../db/world.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import type { NameSecret } from '../../domains/world_file.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { seededKey } from '../../scenarios/index.ts'
import { exportWorld } from '../world_file/export.ts'
import { openCopy } from '../world_file/temp_files.ts'
import { type Line, PART_CHARACTERS } from './format.ts'

/** The lines of a world's present state; `tempFile` is a path for a copy of it. */
export async function* stateLines(world: World, tempFile: string, nameSecret: NameSecret): AsyncGenerator<Line> {
  const { id, scenario, seed, key, clock, switches } = world
  const at = utcMillis(clock.now())
  const copy = await openCopy(world, tempFile)
  try {
    yield {
      ...{ kind: 'state', world: id, at, clock: clock.mode, scenario, seed },
      assumptions: nonDefaultSwitches(SWITCHES, switches) as Record<string, string>,
      deterministic: key === seededKey(scenario, seed, id),
    }
    let text = ''
    for await (const more of exportWorld(copy.q, nameSecret)) {
      text += more
      for (; text.length > PART_CHARACTERS; text = text.slice(PART_CHARACTERS))
        yield { kind: 'part', text: text.slice(0, PART_CHARACTERS) }
    }
    yield { kind: 'part', text }
    yield { kind: 'state end' }
  } finally {
    copy.discard()
  }
}
