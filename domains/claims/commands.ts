import { type CommandSet, defineCommand, fields, integer, path } from '../shared/commands.ts'
import { REASON_IDS } from './reasons.ts'
import type { Claim } from './schemas.ts'

const claim = defineCommand<Claim>({
  name: 'order claim',
  description: 'Have the buyer of an order complain, or go on with the open claim',
  args: [['<order>', 'id of the order', integer(1)]],
  flags: [
    { flags: '--reason <id>', description: 'why; default: PDD9944, it does not work', choices: REASON_IDS },
    { flags: '--message <text>', description: 'what the buyer writes' },
    { flags: '--dispute', description: 'the marketplace mediates' },
    {
      flags: '--close <how>',
      description: 'end it: the buyer gets the money back, or the seller keeps it',
      choices: ['refund', 'keep'],
    },
  ],
  examples: ['order claim 2000010000000001', 'order claim 2000010000000001 --dispute --close refund'],
  async run({ client, args: [order_id], flags: { reason: reason_id, message, dispute, close } }) {
    const [open] = (await client.get('/claims', { order_id, status: 'opened', limit: 1 })).results
    const goesOn = open && reason_id === undefined && message === undefined
    const one: Claim = goesOn ? open : await client.call('POST /claims', { order_id, reason_id, message })
    const change = {
      ...(dispute && { stage: 'dispute' }),
      ...(close && { status: 'closed', ...(close === 'refund' && { refund: 100 }) }),
    }
    return Object.keys(change).length === 0 ? one : client.call(path`PATCH /claims/${one.id}`, change)
  },
  format: ({ id, resource_id, stage, status, reason_id, resolution }) => [
    fields({ claim: id, order: resource_id, stage, status, reason: reason_id, resolution: resolution?.reason }),
    `Read with a token of the seller or the buyer:\n  GET /post-purchase/v1/claims/${id}`,
  ],
})

export default { commands: [claim] } satisfies CommandSet
