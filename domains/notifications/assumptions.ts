import { type Assumptions, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'

export const SENT = defineSwitch('notifications.sent', ['first', 'attempt'])

export const NOTIFICATIONS: Assumptions = {
  [SENT.name]: observed('Which attempt the member `sent` of a notification is the time of', SENT),
}
