import { diffAddress } from '../../parts/checkpoints.tsx'
import { Select } from '../../parts/fields.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { numberIn } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { go, setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { DiffRows, DiffTables } from './differences.tsx'

const ALL = { query: { limit: 1000 } }

/** What differs between two states of this world: the number of rows by table, or the rows of one. */
export function Diff({ query }: { query: Record<string, string> }) {
  const { from = 'start', to = 'now', table, offset = '' } = query
  const w = words().worlds
  const snapshots = useCall('GET /snapshots', ALL).data?.results ?? []
  const checkpoints = useCall('GET /checkpoints', ALL).data?.results ?? []
  const states: [state: string, title: string][] = [
    ['start', w.start],
    ['now', w.now],
    ...snapshots.map(({ name }): [string, string] => [`snapshot:${name}`, visible(name)]),
    ...checkpoints.map(({ id, label }): [string, string] => [
      `checkpoint:${id}`,
      `${id}: ${common().before(visible(label))}`,
    ]),
  ]
  const up = table === undefined ? '#/worlds' : diffAddress({ from, to })
  useKeys([{ keys: 'Escape', title: common().back, run: () => go(up) }])
  const key = [from, to, table, offset].join()
  return (
    <div class="page stack">
      <h1>{common().compare}</h1>
      <p class="row">
        <State label={w.from} name="from" value={from} states={states} />
        <State label={w.to} name="to" value={to} states={states} />
        <a href={up}>{common().back}</a>
      </p>
      {table === undefined ? (
        <DiffTables key={key} from={from} to={to} />
      ) : (
        <DiffRows key={key} from={from} to={to} table={table} offset={numberIn(offset)} />
      )}
    </div>
  )
}

interface StateProps {
  label: string
  name: string
  value: string
  states: [state: string, title: string][]
}

/** A choice of states. Addresses may name others, such as `world:2`. */
const State = ({ label, name, value, states }: StateProps) => (
  <Select
    label={label}
    value={value}
    options={states.some(([state]) => state === value) ? states : [...states, [value, visible(value)]]}
    onValue={(state) => setQuery({ [name]: state, offset: undefined })}
  />
)
