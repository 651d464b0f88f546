import { path, queryString } from '../client.ts'
import { type Argument, defineCommand } from '../command.ts'
import { fields, table } from '../output.ts'
import { integer, parseInstantFlag, toIso } from '../settings.ts'

interface Lead {
  id: string
  status: string
  [member: string]: unknown
}

const STATUSES = ['in_analysis', 'approved', 'rejected']
const LEAD: Argument = ['<id>', 'id of the lead, a UUID']
const formatLead = (lead: Lead) => fields({ ...lead })

/** What becomes of a lead, as the server is told. */
const CHANGES: Record<string, [about: string, change: object]> = {
  approve: ['Let the entity approve a lead', { status: 'approved' }],
  reject: ['Let the entity reject a lead', { status: 'rejected' }],
  expire: ['End a lead before its time', { expired: true }],
  revive: ['Take the end of a lead back', { expired: false }],
}

export const creditCommands = [
  defineCommand<Lead>({
    name: 'lead create',
    description: 'Have a lead of a pre-approved credit come',
    args: [['<item>', 'id of the listing']],
    flags: [
      { flags: '--status <status>', description: 'state of the credit; in_analysis without', choices: STATUSES },
      {
        flags: '--buyer <id>',
        description: 'who could buy; a test buyer of the listing’s site without',
        parse: integer(0),
      },
      { flags: '--entity <name>', description: 'the financial entity; MERCADO_PAGO without' },
      {
        flags: '--at <instant>',
        description: 'when it came, by the world’s clock; now without',
        parse: parseInstantFlag,
      },
      { flags: '--id <uuid>', description: 'id of the new lead' },
    ],
    isDefault: true,
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
    description: 'Leads, the newest first',
    flags: [
      { flags: '--seller <id>', description: 'only those on this seller’s listings', parse: integer(0) },
      { flags: '--status <status>', description: 'only those in this state', choices: STATUSES },
      { flags: '--limit <n>', description: 'at most so many', defaultValue: 50, parse: integer(0, 1000) },
    ],
    examples: ['lead list --status approved'],
    run: ({ client, flags: { seller: seller_id, status, limit } }) =>
      client.call(`GET /loans${queryString({ seller_id, status, limit })}`),
    format: ({ results }) =>
      table(
        ['id', 'status', 'listing', 'came', 'expired'],
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
