import { controlConfig } from '../../shared/control_schemas.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import type { Inboxes } from '../inbox/inboxes.ts'
import type { NetworkPolicy } from '../outbound/network_policy.ts'

export interface NotificationControl {
  dispatcher: Dispatcher
  inboxes: Inboxes
  networkPolicy: NetworkPolicy
}

export const config = controlConfig('Notifications', 'Notifications of changes, and their delivery')
