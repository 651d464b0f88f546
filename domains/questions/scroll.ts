import type { World } from '../../db/world.ts'
import * as scroll from '../shared/scroll.ts'
import type { Criteria, Cursor, Sort } from './search_queries.ts'

/** The state of a scan: search, caller and the last row of the pages so far; undefined before the first row. */
export interface Scan {
  caller: number
  criteria: Criteria
  sort: Sort[]
  after: Cursor | undefined
}

const PURPOSE = 'scroll'

/** The `scroll_id` of the next page. */
export const createScrollId = (world: World, { caller, criteria, sort, after }: Scan): string =>
  scroll.createScrollId(world, PURPOSE, { caller, criteria, sort, after: after && cursorOf(after) } as Scan)

/** The scan in a `scroll_id`. Throws 400 if it is of another world or caller, or expired. */
export const parseScrollId = (world: World, scroll_id: string, caller: number): Scan =>
  scroll.parseScrollId<Scan>(world, PURPOSE, scroll_id, caller, 'questions.search.scroll_id')

const cursorOf = ({ id, item_id, seller_id, from_id, date_created }: Cursor): Cursor => ({
  id,
  item_id,
  seller_id,
  from_id,
  date_created,
})
