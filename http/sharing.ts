import type { FastifyInstance } from 'fastify'
import type { OpenWorlds, Worlds } from '../db/worlds.ts'
import type { Metric } from './metric.ts'

/** What a server that shares its worlds with others does in another way. */
export interface Sharing {
  openWorlds: OpenWorlds
  /** Registers what the requests of a server need. */
  register(server: FastifyInstance, worlds: Worlds): void
  /** Once the servers are ready. */
  metrics(): Metric[]
}
