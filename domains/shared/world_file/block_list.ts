import { worldFileList } from '../../world_file.ts'
import type { BlockList } from '../block_list_queries.ts'
import { StrictBody } from '../control_schemas.ts'
import { utcOrNull } from '../instants.ts'
import { OptionalInstant, UserRef } from './fields.ts'
import { duplicate } from './import_elements.ts'
import { mapPages } from './operations.ts'

const FileBlock = StrictBody(
  {
    seller_id: UserRef('Seller'),
    buyer_id: UserRef('Buyer'),
    date_created: OptionalInstant('Time of the blocking; default: world time'),
  },
  { title: 'FileBlock', description: 'A buyer that a seller has blocked' },
)

/** The list of a world file that has the block lists of all sellers. */
export const blockListOf = ({ add, all }: BlockList, list: { description: string; isOmittedIfEmpty?: true }) =>
  worldFileList({
    ...list,
    element: FileBlock,
    maxElements: 1_000_000,
    async import({ q, users, instantOf }, elements) {
      await elements.each(async (block, place) => {
        const seller_id = users.resolve(`${place}.seller_id`, block.seller_id)
        const buyer_id = users.resolve(`${place}.buyer_id`, block.buyer_id)
        const date_created = instantOf(`${place}.date_created`, block.date_created)
        if (!(await add(q, seller_id, buyer_id, date_created))) throw duplicate(place)
      })
    },
    export: ({ q }) =>
      mapPages(all(q), ({ date_created, ...ids }) => ({ ...ids, date_created: utcOrNull(date_created) })),
  })
