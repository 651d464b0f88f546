import type { AnswerOf } from '../../../lib/types.ts'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { words } from './words.ts'

type World = AnswerOf<'GET /overview'>

/** Where the world comes from and which server has it. */
export function About({ world: { world, version, applications } }: { world: World }) {
  const w = words()
  const rows: [name: string, value: string][] = [
    [w.scenario, world.scenario],
    [w.seed, String(world.seed)],
    [w.storage, common()[world.mode]],
    ...(world.created_at === null ? [] : [[w.created, dateTimeOf(world.created_at)] as [string, string]]),
    [w.applications, number(applications)],
    [w.version, version],
  ]
  return (
    <section>
      <h2 class="label">
        {w.about}
        {world.name !== null && <bdi>: {visible(world.name)}</bdi>}
      </h2>
      <dl class="card about">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
