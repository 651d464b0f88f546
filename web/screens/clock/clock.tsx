import { useState } from 'preact/hooks'
import { Checkpoints } from '../../parts/checkpoints.tsx'
import { useKeys } from '../../parts/keys.ts'
import { ReadOnly } from '../../parts/rows.tsx'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Controls } from './controls.tsx'
import { DueList } from './due_list.tsx'
import { moveBy, moveToNext, toggleFrozen } from './moves.ts'
import { Scrubber } from './scrubber.tsx'

const FIRST_LIMIT = 50

export default function Clock() {
  const [limit, setLimit] = useState(FIRST_LIMIT)
  /** Where the person wants to go, in ms. */
  const [target, setTarget] = useState<number>()
  const w = words().clock
  const due = useCall(
    'GET /clock/due',
    { query: { limit } },
    { refreshOn: ({ type }) => type !== 'request' && type !== 'contact' },
  )
  const run = (move: () => Promise<void>) => () => void move().then(due.again)
  useKeys(
    canChange.value
      ? [
          { keys: 'n', title: w.nextDue, run: run(moveToNext) },
          { keys: 'f', title: w.freeze, run: run(toggleFrozen) },
          { keys: '[', title: '−1 h', run: run(() => moveBy('-1h')) },
          { keys: ']', title: '+1 h', run: run(() => moveBy('1h')) },
        ]
      : [],
  )
  return (
    <div class="page stack">
      <div class="page-head">
        <h1>{w.title}</h1>
        <ReadOnly />
      </div>
      <Controls next={due.data?.results[0]} again={due.again} />
      <Scrubber entries={due.data?.results ?? []} target={target} onTarget={setTarget} again={due.again} />
      <DueList due={due} limit={limit} onLimit={setLimit} onTarget={setTarget} />
      <Checkpoints />
    </div>
  )
}
