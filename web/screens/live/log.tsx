import { useEffect, useState } from 'preact/hooks'
import { LANES, type Lane } from '../../world/entries.ts'
import { laneCounts } from '../../world/timeline.ts'
import { words } from '../words.ts'

/** Ms between two announcements: a screen reader must be able to keep up. */
const EVERY_MS = 5000

/** Says to screen readers how much has happened; the lines can be read in the table. */
export function Log() {
  const [text, setText] = useState('')
  const w = words().live
  useEffect(() => {
    let before = laneCounts()
    const timer = setInterval(() => {
      const now = laneCounts()
      const [, calls, changes, webhooks] = LANES.map((lane: Lane) => now[lane] - before[lane]) as [
        number,
        number,
        number,
        number,
      ]
      before = now
      if (calls + changes + webhooks > 0) setText(w.summary(calls, changes, webhooks))
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [w])
  return (
    <div class="hidden" role="log">
      {text}
    </div>
  )
}
