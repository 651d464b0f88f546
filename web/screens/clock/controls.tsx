import type { Schemas } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { Choices, titled } from '../../parts/form.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { change, read } from '../../world/client.ts'
import { clock, setClock, worldNow } from '../../world/clock.ts'
import { canChange } from '../../world/role.ts'
import { passedWords } from '../passed.ts'
import { wordsOf } from '../words.ts'
import { type Due, describe } from './due_list.tsx'
import { readInstant } from './instant.ts'

const w = wordsOf('clock')

const STEPS: [title: string, by: string][] = [
  ['−1 d', '-1d'],
  ['−1 h', '-1h'],
  ['−1 min', '-1m'],
  ['+1 min', '1m'],
  ['+1 h', '1h'],
  ['+1 d', '1d'],
]
const MODES = ['real', 'shifted', 'frozen'] as const

/** What moves the clock by one press, and what comes next. The time is in the header. */
export function Controls({ next }: { next: Due | undefined }) {
  const now = worldNow.value
  const mode = clock.value?.mode
  if (now === undefined || mode === undefined) return null
  return (
    <>
      {canChange.value && (
        <div class="row">
          <Choices label={w.mode} value={mode} options={titled(MODES, w)} onValue={setMode} />
          {/* biome-ignore lint/a11y/useSemanticElements: buttons that belong together are no fields */}
          <div class="row" role="group" aria-label={w.steps}>
            {STEPS.map(([title, by]) => (
              <Button key={by} class="small" title={title} run={() => moveBy(by)} />
            ))}
          </div>
          {next && <Button class="primary small" title={w.nextDue} keys="n" run={() => moveToNext()} />}
        </div>
      )}
      {next && (
        <p class="muted">
          {describe(next).title} · {distanceOf(Date.parse(next.at), now)}
        </p>
      )}
    </>
  )
}

type Mode = Schemas['Clock']['mode']
type Moved = Schemas['Clock'] & { pending?: number; due?: Due[] }

/** Makes a call that moves the clock to `target`, ms, and says what has happened until then. Its error is reported. */
async function report(call: () => Promise<Moved>, target = 0): Promise<void> {
  try {
    const groups =
      target > worldNow.peek()!
        ? await read('GET /clock/due', { query: { limit: 0, until: new Date(target).toISOString() } }).then(
            (due) => due.groups,
            () => [],
          )
        : []
    const moved = await attempt(call)
    setClock(moved)
    const passed = passedWords(moved.due ? groupsOf(moved.due) : groups)
    const place = moved.pending === undefined ? w.moved(dateTimeOf(moved.now)) : w.sending(moved.pending)
    notify([place, passed.join(', ')].filter(Boolean).join(' · '))
  } catch {
    // The call has reported its error.
  }
}

function groupsOf(due: Due[]): Schemas['DueGroup'][] {
  const groups = Map.groupBy(due, ({ kind, effect }) => `${kind} ${effect}`)
  return [...groups.values()].map((entries) => ({ ...entries[0]!, count: entries.length }))
}

const setMode = (mode: Mode): Promise<void> => report(() => change(w[mode], 'PUT /clock', { body: { mode } }))

/** Without changing whether it runs; real time that is moved becomes shifted. */
export const moveTo = (instant: number): Promise<void> => {
  const mode = clock.peek()?.mode === 'frozen' ? 'frozen' : 'shifted'
  return report(
    () => change(w.moveClock, 'PUT /clock', { body: { mode, now: new Date(instant).toISOString() } }),
    instant,
  )
}

/** `1h`, `-1d` */
export const moveBy = (by: string): Promise<void> =>
  report(() => change(w.moveClock, 'POST /clock/advance', { body: { by } }), readInstant(by, worldNow.peek() ?? 0))

export const moveToNext = (): Promise<void> =>
  report(() => change(w.nextDue, 'POST /clock/advance', { body: { to: 'next' } }))

/** Keeps the time in the world. */
export const toggleFrozen = (): Promise<void> => setMode(clock.peek()?.mode === 'frozen' ? 'shifted' : 'frozen')
