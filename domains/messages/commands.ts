import { type CommandSet, defineCommand, fields, integer, oneOf, path } from '../shared/commands.ts'

interface Message {
  id: string
  pack_id: number
  seller_id: number
  from: { user_id: number }
  to: { user_id: number }
  status: string
  text: string
}

const commands = [
  defineCommand<Message>({
    name: 'order message',
    description: 'Write as the buyer of an order, or as its seller',
    args: [
      ['<order>', 'id of the order', integer(1)],
      ['<text>', 'what to write'],
    ],
    flags: [{ flags: '--from <who>', description: 'who writes; default: buyer', parse: oneOf('buyer', 'seller') }],
    examples: ["order message 2000010000000001 '¿Cuándo llega?'"],
    async run({ client, args: [order, text], flags: { from = 'buyer' } }) {
      const { id, pack_id, seller } = await client.call(path`GET /orders/${order}`)
      return client.call('POST /messages', { pack_id: pack_id ?? id, seller_id: seller.id, from, text })
    },
    format: ({ id, pack_id, seller_id, from, to, status, text }) => [
      fields({ id, from: from.user_id, to: to.user_id, status, text }),
      'Read with a token of the seller or the buyer:',
      `  GET /messages/${id}`,
      `  GET /messages/packs/${pack_id}/sellers/${seller_id}`,
    ],
  }),
]

export default { parents: {}, commands } satisfies CommandSet
