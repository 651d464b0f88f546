// Made by `npm run openapi` from domains/index.ts; changes here are lost.
import oauth from '../domains/oauth/commands.ts'
import questions from '../domains/questions/commands.ts'
import flex from '../domains/flex/commands.ts'
import contacts from '../domains/contacts/commands.ts'
import credits from '../domains/credits/commands.ts'
import notifications from '../domains/notifications/commands.ts'
import type { CommandSet } from '../domains/shared/commands.ts'

/** The commands of all domains. */
export const COMMANDS: readonly CommandSet[] = [oauth, questions, flex, contacts, credits, notifications]

/** The values of all switches, each with its default first. */
export const SWITCHES = {
  'auth.query_token': ['accept', 'reject'],
  'contacts.auth': ['optional', 'required'],
  'contacts.current_bucket': ['include', 'exclude'],
  'contacts.day_offset': ['-04:00', '-12:00', '-11:00', '-10:00', '-09:00', '-08:00', '-07:00', '-06:00', '-05:00', '-03:00', '-02:00', '-01:00', '+00:00', '+01:00', '+02:00', '+03:00', '+04:00', '+05:00', '+06:00', '+07:00', '+08:00', '+09:00', '+10:00', '+11:00', '+12:00', '+13:00', '+14:00'],
  'contacts.owner_only': ['false', 'true'],
  'flex.activation_needs_subscription': ['true', 'false'],
}
