import { signal } from '@preact/signals'
import type { AnswerOf } from '../../lib/types.ts'
import { read } from './client.ts'
import { onMatchingEvents } from './load.ts'
import { epoch, firstAttempt } from './stream.ts'

/** What the world contains, in numbers; undefined until it was read. The header and the overview show it. */
export const overview = signal<AnswerOf<'GET /overview'> | undefined>(undefined)

const readOverview = () =>
  firstAttempt
    .then(() => read('GET /overview'))
    .then(
      (answer) => {
        overview.value = answer
      },
      () => {},
    )

/** Keeps the overview up to date; called once. */
export function followOverview(): void {
  epoch.subscribe(() => void readOverview())
  onMatchingEvents(() => true, readOverview)
}
