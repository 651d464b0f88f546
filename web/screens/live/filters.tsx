import { MoreFilters, SelectFilter } from '../../parts/filters.tsx'
import { titled } from '../../parts/form.tsx'
import { visible } from '../../parts/values.tsx'
import { words as common } from '../../words/index.ts'
import { type Entry, LANES, usersOf } from '../../world/entries.ts'
import { entries, users } from '../../world/timeline.ts'
import { words } from '../words.ts'
import { subjectName } from './changes.ts'

/** Users to choose from. */
const MAX_USERS = 100

/** What the address selects: a column, the outcome of calls and attempts, a topic, a user, words. */
export function Filters({ query: { topic, user } }: { query: Record<string, string> }) {
  const ids = new Set(entries.value.flatMap((entry: Entry) => usersOf(entry)))
  if (user) ids.add(Number(user))
  const topics = new Set(entries.value.flatMap(({ event }) => ('topic' in event ? event.topic : [])))
  if (topic) topics.add(topic as 'items')
  const outcomes = [['refused', words.live.refused] as const, '2xx', '4xx', '5xx', ['0', common.noResponse] as const]
  return (
    <>
      <SelectFilter name="lane" label={words.live.show} options={titled(LANES, words.live)} />
      <SelectFilter name="status" label={words.requests.status} options={outcomes} />
      <SelectFilter
        name="user"
        label={words.requests.user}
        options={[...ids].slice(0, MAX_USERS).map((id) => [String(id), nameOf(id)] as const)}
      />
      <MoreFilters isSet={topic !== undefined}>
        <SelectFilter
          name="topic"
          label={words.live.about}
          options={[...topics].map((one) => [one, visible(subjectName(one))] as const).sort(byTitle)}
        />
      </MoreFilters>
    </>
  )
}

const byTitle = ([, a]: readonly string[], [, b]: readonly string[]) => a!.localeCompare(b!)

/** The name of a user, else the number. */
export const nameOf = (id: number): string => visible(users.value.get(id) ?? String(id))
