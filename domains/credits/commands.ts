import type { Static } from '@sinclair/typebox'
import {
  type Argument,
  atFlag,
  type CommandSet,
  defineCommand,
  fields,
  integer,
  oneOf,
  parseUser,
  path,
  table,
  toIso,
} from '../shared/commands.ts'
import type { AnyLead } from './schemas.ts'

type Lead = Static<typeof AnyLead>

const STATUSES = ['in_analysis', 'approved', 'rejected']
const LEAD: Argument = ['<id>', 'id of the lead, a UUID']
const parseYesOrNo = (text: string): boolean => oneOf('yes', 'no')(text) === 'yes'
const formatLead = (lead: Lead) => fields({ ...lead })

/** Description and change of each command that changes a lead. */
const CHANGES: Record<string, [description: string, change: object]> = {
  approve: ['Approve a lead, as the financial entity', { status: 'approved' }],
  reject: ['Reject a lead, as the financial entity', { status: 'rejected' }],
  expire: ['Expire a lead early', { expired: true }],
  revive: ['Undo expire', { expired: false }],
}

const commands = [
  defineCommand<Lead>({
    name: 'lead create',
    description: 'Create a lead of a pre-approved credit',
    args: [['<item>', 'id of the listing']],
    flags: [
      { flags: '--status <status>', description: 'state of the credit; default: in_analysis', choices: STATUSES },
      {
        flags: '--buyer <user>',
        description: 'the buyer; default: a test buyer of the listing’s site',
        parse: parseUser,
      },
      { flags: '--entity <name>', description: 'the financial entity; default: MERCADO_PAGO' },
      atFlag('when it was created'),
      { flags: '--id <uuid>', description: 'id of the new lead' },
    ],
    impliedBy: /\d/,
    members: { date_created: '--at', financial_entity_id: '--entity' },
    examples: ['lead MLB1400000001', 'lead create MLB1400000001 --status approved --at 2026-03-01T10:00:00Z'],
    run: ({ client, args: [item_id], flags: { status, buyer, entity, at, id } }) =>
      client.call('POST /loans', {
        item_id,
        status,
        id,
        buyer_id: buyer,
        financial_entity_id: entity,
        date_created: toIso(at),
      }),
    format: formatLead,
  }),
  defineCommand<{ results: Lead[] }>({
    name: 'lead list',
    description: 'List leads, newest first',
    flags: [
      { flags: '--seller <user>', description: 'only leads on the listings of this seller', parse: parseUser },
      { flags: '--buyer <user>', description: 'only leads of this buyer', parse: parseUser },
      { flags: '--status <status>', description: 'only leads in this state', choices: STATUSES },
      { flags: '--expired <yes|no>', description: 'only expired leads, or only the others', parse: parseYesOrNo },
      { flags: '--before <id>', description: 'only leads behind the one with this id' },
      { flags: '--limit <n>', description: 'at most this many', defaultValue: 50, parse: integer(0, 1000) },
    ],
    isDefault: true,
    examples: ['lead', 'lead list --status approved'],
    run: ({ client, flags: { seller: seller_id, buyer: buyer_id, status, expired, before, limit } }) =>
      client.get('/loans', { seller_id, buyer_id, status, expired, before, limit }),
    format: ({ results }) =>
      table(
        ['id', 'status', 'listing', 'created', 'expired'],
        results.map(({ id, status, item_id, date_created, expired }) => [id, status, item_id, date_created, expired]),
      ),
  }),
  ...Object.entries(CHANGES).map(([word, [description, change]]) =>
    defineCommand<Lead>({
      name: `lead ${word}`,
      description,
      args: [LEAD],
      examples: [`lead ${word} 5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2`],
      run: ({ client, args: [id] }) => client.call(path`PATCH /loans/${id}`, change),
      format: formatLead,
    }),
  ),
]

export default { parents: { lead: 'Leads of pre-approved credits' }, commands } satisfies CommandSet
