import { computed, signal } from '@preact/signals'
import type { Schemas } from '../../lib/types.ts'
import { read } from './client.ts'
import { epoch, firstAttempt } from './stream.ts'

const role = signal<Schemas['ControlCaller']['role'] | undefined>(undefined)

/** Whether this page may change something; false for viewers, and until the server has answered. */
export const canChange = computed(() => role.value !== undefined && role.value !== 'viewer')
/** Whether the token of this page only reads. */
export const isViewer = computed(() => role.value === 'viewer')

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
