import { desc, eq } from 'drizzle-orm'
import { $, prepared } from '../../db/engine.ts'
import { outbox } from '../../db/tables.ts'

/** The latest events of a topic, the last first. */
export const latestEvents = prepared(({ db }) =>
  db
    .select({ resource: outbox.resource, at: outbox.at, cause: outbox.cause })
    .from(outbox)
    .where(eq(outbox.topic, $('topic')))
    .orderBy(desc(outbox.id))
    .limit($('limit')),
)
