import { preparedSql, type Q } from '../../db/engine.ts'
import { selectRows } from '../../db/rows.ts'
import { pages } from '../shared/world_file/operations.ts'
import type { TokenRow } from './queries.ts'
import { application, type application_grant } from './tables.ts'

export const allApplications = (q: Q) => applications(q).all()
const applications = selectRows(application, {}, { order: ['id'] })

/** Grants of an application, by user. */
export const grantsOf = (q: Q, application_id: number) =>
  pages(grants(q), { application_id, after: -1 }, ({ user_id }) => ({ application_id, after: user_id }))
const grants = preparedSql<typeof application_grant.$inferSelect>(`
  SELECT * FROM application_grant WHERE application_id = :application_id AND user_id > :after ORDER BY user_id LIMIT :page`)

/** Access tokens in the order of their creation. */
export const allTokens = (q: Q) => pages(tokens(q), { after: -1 }, ({ row }) => ({ after: row }))
const tokens = preparedSql<TokenRow & { row: number }>(
  'SELECT rowid AS row, * FROM access_token WHERE rowid > :after ORDER BY rowid LIMIT :page',
)
