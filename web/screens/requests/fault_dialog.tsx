import { useState } from 'preact/hooks'
import type { BodyOf, RequestMade } from '../../../lib/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Choices, Select } from '../../parts/fields.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { change } from '../../world/client.ts'
import { words } from './words.ts'

type Action = BodyOf<'POST /faults'>['action']

const ACTIONS: Record<string, Action> = {
  '503': { status: 503 },
  '500': { status: 500 },
  '429': { status: 429, headers: { 'retry-after': '5' } },
  slow: { delay: 5000 },
  drop: { drop: true },
}

/** A rule that lets calls to the same path fail. */
export function FaultDialog({ request: { method, path }, onClose }: { request: RequestMade; onClose(): void }) {
  const [effect, setEffect] = useState('503')
  const [times, setTimes] = useState('1')
  const w = words()
  const submit = async (event: Event) => {
    event.preventDefault()
    const match = { method: method as 'GET', path }
    const body = { match, action: ACTIONS[effect]!, times: times === '' ? null : Number(times) }
    const { id } = await attempt(() => change('fault', 'POST /faults', { body }))
    notify(<a href={`#/faults/${id}`}>{w.faultMade(id)}</a>)
    onClose()
  }
  return (
    <Dialog title={w.faultTitle} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event).catch(() => {})}>
        <p class="mono">
          {method} <bdi>{path}</bdi>
        </p>
        <Select
          label={w.effect}
          value={effect}
          options={[
            ['503', '503 Service Unavailable'],
            ['500', '500 Internal Server Error'],
            ['429', '429 Too Many Requests'],
            ['slow', w.slow],
            ['drop', w.dropIt],
          ]}
          onValue={setEffect}
        />
        <Choices
          label={w.howOften}
          value={times}
          options={[
            ['1', w.once],
            ['3', w.three],
            ['', w.always],
          ]}
          onValue={setTimes}
        />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="primary">
            {w.fault}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
