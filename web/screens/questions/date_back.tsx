import { Select } from '../../parts/fields.tsx'
import { worldNow } from '../../world/clock.ts'
import { words } from '../words.ts'

/** A date in the past: a distance from now, or an exact one. */
export interface PastDate {
  choice: 'now' | 'ago1h' | 'ago1d' | 'ago3d' | 'exactly'
  /** As a field of a date has it, in UTC. */
  exactly?: string
}

const HOUR = 3_600_000
const AGO = { ago1h: HOUR, ago1d: 24 * HOUR, ago3d: 72 * HOUR }

/** undefined for now. */
export function instantOf({ choice, exactly }: PastDate): string | undefined {
  if (choice === 'now') return undefined
  if (choice === 'exactly') return exactly === undefined ? undefined : `${exactly}Z`
  return new Date((worldNow.peek() ?? Date.now()) - AGO[choice]).toISOString()
}

export function DateBack({ value, onValue }: { value: PastDate; onValue(value: PastDate): void }) {
  const w = words().questions
  const choices = ['now', 'ago1h', 'ago1d', 'ago3d', 'exactly'] as const
  const present = new Date(worldNow.peek() ?? Date.now()).toISOString().slice(0, 19)
  return (
    <>
      <Select
        label={w.date}
        value={value.choice}
        options={choices.map((choice) => [choice, w[choice]] as const)}
        onValue={(choice) => onValue({ choice, ...(choice === 'exactly' && { exactly: present }) })}
      />
      {value.choice === 'exactly' && (
        <input
          type="datetime-local"
          step={1}
          required
          aria-label={w.instant}
          value={value.exactly ?? ''}
          onInput={({ currentTarget }) => onValue({ choice: 'exactly', exactly: currentTarget.value })}
        />
      )}
    </>
  )
}
