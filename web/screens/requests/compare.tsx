import type { RequestMade } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/values.tsx'
import { read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { words } from '../words.ts'

const MAX_SHOWN = 100

/** What differs between another call and this one, side by side. */
export function Comparison({ other, request }: { other: number; request: RequestMade }) {
  const loaded = useLoad((signal) => read('GET /requests/{id}', { path: { id: other }, signal }), { key: other })
  const w = words().requests
  return (
    <section class="stack" aria-label={w.compared(other, request.id)}>
      <h3>{w.compared(other, request.id)}</h3>
      <Show loaded={loaded}>
        {(one) => <Differences rows={differencesOf(one, request)} ids={[other, request.id]} />}
      </Show>
    </section>
  )
}

type Difference = [name: string, one: string | undefined, other: string | undefined]

function Differences({ rows, ids }: { rows: Difference[]; ids: number[] }) {
  const w = words().requests
  if (rows.length === 0) return <p class="muted">{w.same}</p>
  return (
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">{w.field}</th>
          {ids.map((id) => (
            <th scope="col" key={id}>
              #{id}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MAX_SHOWN).map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{visible(name)}</bdi>
            </th>
            {values.map((value, n) => (
              <td key={ids[n]}>
                <bdi>{value === undefined ? '–' : visible(value)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function differencesOf(one: RequestMade, other: RequestMade): Difference[] {
  const [a, b] = [membersOf(one), membersOf(other)]
  const names = [...new Set([...a.keys(), ...b.keys()])]
  return names.flatMap((name) => (a.get(name) === b.get(name) ? [] : [[name, a.get(name), b.get(name)]]))
}

/** All that was sent and answered, one line each. */
function membersOf({ method, path, query, headers, body, user_id, response }: RequestMade): Map<string, string> {
  const members = new Map<string, string>()
  const add = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) members.set(name, String(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner)
  }
  add('status', response.status)
  add('method', method)
  add('path', path)
  add('user', user_id)
  add('query', query)
  add('header', headers)
  add('body', parse(body))
  add('answer', parse(response.body))
  return members
}

export function parse(body: string | null): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return body
  }
}
