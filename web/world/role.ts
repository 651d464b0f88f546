import { computed, signal } from '@preact/signals'
import type { Schemas } from '../../lib/types.ts'
import { read } from './client.ts'
import { keepReading } from './load.ts'

const role = signal<Schemas['ControlCaller']['role'] | undefined>(undefined)

/** Whether this page may change something; false for viewers, and until the server has answered. */
export const canChange = computed(() => role.value !== undefined && role.value !== 'viewer')
/** Whether the token of this page only reads. */
export const isViewer = computed(() => role.value === 'viewer')

keepReading(
  () => read('GET /whoami'),
  (caller) => {
    role.value = caller.role
  },
)
