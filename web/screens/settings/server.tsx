import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { send } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import { words } from './words.ts'

interface ServerInfo {
  version: string
  node: string
  sqlite: string
  started_at: string
  mode: string
  data: string | null
  flags: { name: string; value: unknown; source: string }[]
  limits: Record<string, unknown>
}

/** The flags with which the server runs. */
export function Server() {
  const w = words()
  const loaded = useLoad((signal) => orNull(send('GET /server', { signal }) as Promise<ServerInfo>))
  return (
    <Show loaded={loaded}>
      {(server) => (server === null ? <Empty icon="settings" title={w.noServer} /> : <Info server={server} />)}
    </Show>
  )
}

function Info({ server: { version, node, sqlite, started_at, mode, data, flags, limits } }: { server: ServerInfo }) {
  const w = words()
  return (
    <>
      <div class="card">
        <FactList
          of={[
            ['mercadito', version],
            ['Node', node],
            ['SQLite', sqlite],
            [w.started, distanceOf(Date.parse(started_at), Date.now())],
            [w.worlds, mode === 'kept' ? data : w.temporary],
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
              {w[source as 'flag'] ?? source}
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

const textOf = (value: unknown): string =>
  typeof value === 'number'
    ? number(value)
    : typeof value === 'string'
      ? value
      : value === null || value === undefined
        ? '–'
        : JSON.stringify(value)
