import { Select } from '../../parts/form.tsx'
import { visible } from '../../parts/text.tsx'
import { words as common } from '../../words/index.ts'
import { type Entry, LANES, usersOf } from '../../world/entries.ts'
import { setQuery } from '../../world/navigation.ts'
import { entries, users } from '../../world/timeline.ts'
import { words } from '../words.ts'

/** Users to choose from. */
const MAX_USERS = 100

/** What the address selects: a column, the outcome of calls and attempts, a user, words. */
export function Filters({ query: { lane, status, user } }: { query: Record<string, string> }) {
  const w = words()
  const ids = new Set(entries.value.flatMap((entry: Entry) => usersOf(entry)))
  if (user) ids.add(Number(user))
  return (
    <>
      <Choice name="lane" label={w.live.show} value={lane} options={LANES.map((one) => [one, w.live[one]])} />
      <Choice
        name="status"
        label={w.requests.status}
        value={status}
        options={[
          ['refused', w.live.refused],
          ...['2xx', '4xx', '5xx'].map((one) => [one, one] as const),
          ['0', w.requests.noStatus],
        ]}
      />
      <Choice
        name="user"
        label={w.requests.user}
        value={user}
        options={[...ids].slice(0, MAX_USERS).map((id) => [String(id), nameOf(id)])}
      />
    </>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string | undefined
  options: (readonly [value: string, title: string])[]
}

const Choice = ({ name, label, value = '', options }: ChoiceProps) => (
  <Select
    label={label}
    value={value}
    options={[['', common().all], ...options]}
    onValue={(one) => setQuery({ [name]: one })}
  />
)

/** The name of a user, else the number. */
export const nameOf = (id: number): string => visible(users.value.get(id) ?? String(id))
