import { asc, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { selectRows } from '../../db/rows.ts'
import { pages } from '../shared/world_file/operations.ts'
import { access_token, application, application_grant } from './tables.ts'

export const allApplications = (q: Q) => applications(q).all()
const applications = selectRows(application, {}, { order: ['id'] })

/** Grants of an application, by user. */
export const grantsOf = (q: Q, application_id: number) =>
  pages(grants(q), { application_id, after: -1 }, ({ user_id }) => ({ application_id, after: user_id }))
const grants = prepared(({ db }) =>
  db
    .select()
    .from(application_grant)
    .where(
      sql`${application_grant.application_id} = ${$('application_id')} AND ${application_grant.user_id} > ${$('after')}`,
    )
    .orderBy(asc(application_grant.user_id))
    .limit($('page')),
)

/** Access tokens in the order of their creation. */
export const allTokens = (q: Q) => pages(tokens(q), { after: -1 }, ({ row }) => ({ after: row }))
const tokens = prepared(({ db }) =>
  db
    .select({
      row: sql<number>`rowid`.as('row'),
      token: access_token.token,
      application_id: access_token.application_id,
      user_id: access_token.user_id,
      expires_at: access_token.expires_at,
    })
    .from(access_token)
    .where(sql`rowid > ${$('after')}`)
    .orderBy(sql`rowid`)
    .limit($('page')),
)
