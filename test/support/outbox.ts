import { outbox } from '../../db/tables.ts'
import type { World } from '../../db/world.ts'

/** The events published since the last call. */
export const takeOutbox = (world: World) => world.tx(async (q) => q.db.delete(outbox).returning().all())
