import { asc, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q, type Statement } from '../../db/engine.ts'
import { countRows, deleteRows, insertInto, matching, selectRows } from '../../db/rows.ts'
import { forbidden } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { userNotFound } from './errors.ts'
import { pages } from './world_file/operations.ts'

interface Users {
  /** The rule of the 403. */
  rights: RuleId
  userById(q: Q, id: number): Promise<unknown>
}

export type BlockList = ReturnType<typeof createBlockList>

interface Block {
  seller_id: number
  buyer_id: number
  /** World time, ms. */
  date_created: number
}

/** The list that a table holds. Call `add` and `remove` inside `world.tx`. */
export function createBlockList<
  Table extends SQLiteTable & Record<'seller_id' | 'buyer_id' | 'date_created', SQLiteColumn>,
>(table: Table, { rights, userById }: Users) {
  const from = table as SQLiteTable
  const both = { seller_id: $, buyer_id: $ }
  const selectOne = selectRows(from, both)
  const selectPage = prepared(({ db }) =>
    db
      .select({ id: sql<number>`${table.buyer_id}`.as('id') })
      .from(from)
      .where(matching(from, { seller_id: $ }))
      .orderBy(asc(table.buyer_id))
      .limit($('limit'))
      .offset($('offset')),
  )
  const count = countRows(from, { seller_id: $ })
  const selectAll = prepared(({ db }) =>
    db
      .select()
      .from(from)
      .where(sql`(${table.seller_id}, ${table.buyer_id}) > (${$('seller')}, ${$('buyer')})`)
      .orderBy(asc(table.seller_id), asc(table.buyer_id))
      .limit($('page')),
  )
  const insert = insertInto(from)
  const deleteOne = deleteRows(from, both)

  return {
    has: async (q: Q, seller_id: number, buyer_id: number): Promise<boolean> =>
      (await selectOne(q).one({ seller_id, buyer_id })) !== undefined,
    /** A page by buyer, as it is answered. */
    async page(q: Q, seller_id: number, { limit, offset }: { limit: number; offset: number }) {
      const users = await selectPage(q).all({ seller_id, limit, offset })
      return { paging: { total: await count(q, { seller_id }), offset, limit }, users }
    },
    /** The blocks of all sellers. */
    all: (q: Q): AsyncGenerator<Block[]> =>
      pages(selectAll(q) as unknown as Statement<Block>, { seller: -1, buyer: -1 }, ({ seller_id, buyer_id }) => ({
        ...{ seller: seller_id, buyer: buyer_id },
      })),
    /** Answers whether the buyer was not blocked. */
    add: (q: Q, seller_id: number, buyer_id: number, date_created: number) =>
      insert(q, { seller_id, buyer_id, date_created }),
    remove: (q: Q, seller_id: number, buyer_id: number) => deleteOne(q).run({ seller_id, buyer_id }),
    /**
     * Throws 404 unless the seller and the buyer exist, then 403 unless the seller is the caller. `buyer`: by the name
     * of the parameter.
     */
    async requireOwn(q: Q, seller_id: number, caller: number, buyer: Record<string, number> = {}): Promise<void> {
      for (const [name, id] of Object.entries({ seller_id, ...buyer }))
        if (!(await userById(q, id))) throw userNotFound(id, name)
      if (seller_id !== caller) throw forbidden(rights)
    },
  }
}
