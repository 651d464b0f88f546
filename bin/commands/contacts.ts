import { defineCommand } from '../command.ts'
import { openInput } from '../input.ts'
import { fields, printable, withProgress } from '../output.ts'
import { integer, parseInstantFlag, type Setting, toIso } from '../settings.ts'

interface Recorded {
  item_id: string
  at: string
  count: number
}

const FLAGS: Setting[] = [
  { flags: '--count <n>', description: 'so many at that instant; 1 without', parse: integer(1, 100_000) },
  { flags: '--at <instant>', description: 'when, by the world’s clock; now without', parse: parseInstantFlag },
  { flags: '--buyer <id>', description: 'who it was; a guest without', parse: integer(0) },
]

/** What a buyer does on a listing, by the command for it. */
const KINDS = {
  'view-phone': { kind: 'phone_view', about: 'See the phone number of a listing, as buyers do', name: 'phone view' },
  'click-message': { kind: 'whatsapp', about: 'Click the messaging button of a listing, as buyers do', name: 'click' },
}

const contactKindCommands = Object.entries(KINDS).map(([words, { kind, about: description, name }]) =>
  defineCommand<Recorded>({
    name: words,
    description,
    args: [['<item>', 'id of the listing']],
    flags: FLAGS,
    examples: [`${words} MLA1400000001`, `${words} MLA1400000001 --count 20 --at 2026-03-02T12:00:00Z`],
    run: ({ client, args: [item_id], flags: { count, at, buyer: buyer_id } }) =>
      client.call('POST /contacts', { kind, item_id, at: toIso(at), count, buyer_id }),
    format: ({ item_id, at, count }) => `${count} ${name}${count === 1 ? '' : 's'} of ${printable(item_id)} at ${at}`,
  }),
)

export const contactCommands = [
  ...contactKindCommands,
  defineCommand<{ imported: number }>({
    name: 'import',
    description: 'Record phone views, clicks and questions from a file, one JSON object a line',
    args: [['<file>', 'NDJSON; - for standard input']],
    examples: [
      'import contacts.ndjson',
      `import - <<< '{"kind":"phone_view","item_id":"MLA1400000001","at":"2026-03-02T12:00:00Z"}'`,
    ],
    async run({ client, args: [file] }) {
      const { stream, done } = openInput(file)
      try {
        return await client.call('POST /contacts', { stream, type: 'application/x-ndjson' })
      } finally {
        done()
      }
    },
    format: ({ imported }) => `${imported} imported`,
  }),
  defineCommand<object>({
    name: 'simulate',
    description: 'Fill the world’s listings with believable buyers’ traffic',
    flags: [
      {
        flags: '--days <n>',
        description: 'how many days, the last of them today',
        defaultValue: 30,
        parse: integer(1),
      },
      { flags: '--profile <name>', description: 'how many come: quiet, normal, busy or peak; normal without' },
      { flags: '--user <id>', description: 'only this seller’s listings', parse: integer(0) },
      { flags: '--seed <number>', description: 'the same seed makes the same traffic', parse: integer(0) },
      { flags: '--no-notify', description: 'tell no application of the questions' },
    ],
    examples: ['simulate --days 30', 'simulate --days 90 --no-notify'],
    run: ({ client, flags: { days, profile, seed, user: user_id, notify } }) =>
      withProgress('simulating', client.call('POST /simulate', { days, profile, seed, user_id, notify })),
    format: (answer) => fields({ ...answer }),
  }),
]
