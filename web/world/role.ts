import { signal } from '@preact/signals'
import type { AnswerOf } from '../../lib/types.ts'
import { read } from './client.ts'
import { epoch, firstAttempt } from './stream.ts'

/** What the token of this page permits; undefined until the server has answered. */
const role = signal<AnswerOf<'GET /whoami'>['role'] | undefined>(undefined)
epoch.subscribe(() => {
  firstAttempt
    .then(() => read('GET /whoami'))
    .then(
      (caller) => {
        role.value = caller.role
      },
      () => {},
    )
})

/** Whether to show what changes something: the token of a viewer only reads. */
export const canChange = (): boolean => role.value !== undefined && role.value !== 'viewer'
export const isViewer = (): boolean => role.value === 'viewer'
