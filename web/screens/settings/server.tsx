import type { AnswerOf } from '../../../lib/types.ts'
import { FactList } from '../../parts/facts.tsx'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'

/** The flags with which the server runs. */
export function Server() {
  const loaded = useCall('GET /server', {})
  return <Show loaded={loaded}>{(server) => <Info server={server} />}</Show>
}

function Info({
  server: { version, node, sqlite, started_at, mode, data, flags, limits },
}: {
  server: AnswerOf<'GET /server'>
}) {
  const w = words().settings
  return (
    <>
      <div class="card">
        <FactList
          of={[
            ['mercadito', version],
            ['Node', node],
            ['SQLite', sqlite],
            [w.started, distanceOf(Date.parse(started_at), Date.now())],
            [w.worlds, mode === 'temporary' ? w.temporary : (data ?? common().shared)],
          ]}
        />
      </div>
      <h2>{w.flags}</h2>
      <ul class="rows" aria-label={w.flags}>
        {flags.map(({ name, value, source }) => (
          <li key={name}>
            <code>{visible(name)}</code>
            <bdi class="flag-value">{visible(textOf(value))}</bdi>
            <span class="badge" data-tone={source === 'default' ? undefined : 'info'}>
              {w[source]}
            </span>
          </li>
        ))}
      </ul>
      <h2>{w.limits}</h2>
      <div class="card">
        <FactList of={Object.entries(limits).map(([name, value]) => [name, textOf(value)] as const)} />
      </div>
    </>
  )
}

const textOf = (value: string | number | boolean | null): string =>
  value === null ? '–' : typeof value === 'number' ? number(value) : String(value)
