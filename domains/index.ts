import type { FastifyInstance } from 'fastify'
import docs from '../control/docs/page.ts'
import type { Worlds } from '../db/worlds.ts'
import type { OnFault } from '../http/errors.ts'
import contacts from './contacts/index.ts'
import credits from './credits/index.ts'
import currencies from './currencies/index.ts'
import flex from './flex/index.ts'
import items from './items/index.ts'
import notifications from './notifications/index.ts'
import oauth from './oauth/index.ts'
import questions from './questions/index.ts'
import users from './users/index.ts'

/** The roster: one line per domain. */
export function registerDomains(app: FastifyInstance, { worlds, onFault }: { worlds: Worlds; onFault: OnFault }): void {
  app.register(docs)
  app.register(oauth, { worlds, onFault })
  app.register(users)
  app.register(currencies)
  app.register(items)
  app.register(questions)
  app.register(flex)
  app.register(contacts, { onFault })
  app.register(credits, { onFault })
  app.register(notifications)
}
