import { MoreFilters } from '../../parts/filters.tsx'
import { Select } from '../../parts/form.tsx'
import { visible } from '../../parts/text.tsx'
import { words as common } from '../../words/index.ts'
import { type Entry, LANES, usersOf } from '../../world/entries.ts'
import { setQuery } from '../../world/navigation.ts'
import { entries, users } from '../../world/timeline.ts'
import { words } from '../words.ts'
import { subjectName } from './changes.ts'

/** Users to choose from. */
const MAX_USERS = 100

/** What the address selects: a column, the outcome of calls and attempts, a topic, a user, words. */
export function Filters({ query: { lane, status, topic, user } }: { query: Record<string, string> }) {
  const w = words()
  const ids = new Set(entries.value.flatMap((entry: Entry) => usersOf(entry)))
  if (user) ids.add(Number(user))
  const topics = new Set(entries.value.flatMap(({ event }) => ('topic' in event ? event.topic : [])))
  if (topic) topics.add(topic as 'items')
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
      <MoreFilters isSet={topic !== undefined}>
        <Choice
          name="topic"
          label={w.live.about}
          value={topic}
          options={[...topics].map((one) => [one, visible(subjectName(one))] as const).sort(byTitle)}
        />
      </MoreFilters>
    </>
  )
}

const byTitle = ([, a]: readonly string[], [, b]: readonly string[]) => a!.localeCompare(b!)

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
