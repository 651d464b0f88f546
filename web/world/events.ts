import type { AnyEvent } from '../../lib/types.ts'

/** What the page listens to: everything. */
export const EVENT_KINDS: Exclude<AnyEvent['type'], 'gap'>[] = [
  'fact',
  'attempt',
  'topic_off',
  'request',
  'control',
  'clock',
  'world',
  'contact',
]
