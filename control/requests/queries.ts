import { desc, eq } from 'drizzle-orm'
import { $, prepared } from '../../db/engine.ts'
import { outbox } from '../../db/tables.ts'

/** The latest events of a topic, the last first. */
export const latestEvents = prepared(({ db }) =>
  db
    .select({ id: outbox.id, resource: outbox.resource, at: outbox.at })
    .from(outbox)
    .where(eq(outbox.topic, $('topic')))
    .orderBy(desc(outbox.id))
    .limit($('limit')),
)
