import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import { CONTROL_PREFIX } from '../../plugins/address.ts'
import bodies from '../../plugins/bodies.ts'
import { methodNotAllowed, routeNotFound } from '../../plugins/errors.ts'
import type { Journals } from '../../plugins/journals.ts'
import { createPaths, methodsOf } from '../../plugins/paths.ts'
import type { Traffic } from '../../plugins/traffic.ts'
import worldsPlugin from '../../plugins/worlds.ts'
import type { Templates } from '../../scenarios/templates.ts'
import type { Dispatcher } from '../notifications/dispatcher.ts'
import type { Feed } from '../notifications/feed.ts'
import type { NetworkPolicy } from '../notifications/targets.ts'
import applications from './applications.ts'
import assumptions from './assumptions.ts'
import backup from './backup.ts'
import clock from './clock.ts'
import contacts from './contacts.ts'
import deliveries from './deliveries.ts'
import document from './document.ts'
import events from './events.ts'
import faults from './faults.ts'
import flex from './flex.ts'
import type { WorldDefaults } from './founding.ts'
import guard, { type ControlAccessOptions } from './guard.ts'
import health from './health.ts'
import items from './items.ts'
import loans from './loans.ts'
import metrics from './metrics.ts'
import notifications from './notifications.ts'
import questions from './questions.ts'
import requests from './requests.ts'
import shipments from './shipments.ts'
import simulate from './simulate.ts'
import snapshots from './snapshots.ts'
import tokens from './tokens.ts'
import users from './users.ts'
import verify from './verify.ts'
import worldFile from './world_file/index.ts'
import worldRoutes from './worlds.ts'

export interface ControlOptions extends ControlAccessOptions {
  worlds: Worlds
  templates: Templates
  defaults: WorldDefaults
  journals: Journals
  dispatcher: Dispatcher
  feed: Feed
  /** How far notifications may go. */
  networkPolicy: NetworkPolicy
  traffic: Traffic
}

/** The control plane: what no marketplace lets its users do. Never mixed with the emulated API. */
const controlPlane: FastifyPluginAsync<ControlOptions> = async (
  app,
  { worlds, templates, defaults, journals, dispatcher, feed, networkPolicy, traffic, adminToken, isExposed },
) => {
  app.register(health, { worlds, traffic })
  app.register(async (app) => {
    app.register(guard, { adminToken, isExposed })
    app.register(metrics, { worlds, traffic, dispatcher })
  })
  app.register(
    async (app) => {
      const paths = createPaths()
      app.addHook('onRoute', (route) => paths.add(route))
      app.register(guard, { adminToken, isExposed })
      app.register(worldsPlugin, { worlds, by: 'address' })
      app.register(bodies)
      app.setNotFoundHandler(({ url }) => {
        const path = paths.match(url)
        throw path
          ? methodNotAllowed(
              methodsOf(path)
                .filter((method) => method !== 'OPTIONS')
                .join(', '),
            )
          : routeNotFound()
      })
      app.register(document)
      app.register(worldRoutes, { worlds, templates, defaults })
      app.register(backup, { worlds })
      app.register(snapshots, { worlds, templates })
      app.register(clock, { worlds, dispatcher })
      app.register(users)
      app.register(applications, { worlds })
      app.register(notifications, { dispatcher, networkPolicy })
      app.register(deliveries, { dispatcher })
      app.register(events, { worlds, feed })
      app.register(tokens)
      app.register(items)
      app.register(questions)
      app.register(shipments)
      app.register(flex)
      app.register(loans)
      app.register(faults)
      app.register(requests, { journals })
      app.register(verify, { journals })
      app.register(contacts)
      app.register(simulate)
      app.register(assumptions)
      app.register(worldFile, { worlds, defaults, networkPolicy })
    },
    { prefix: CONTROL_PREFIX },
  )
}
export default controlPlane
