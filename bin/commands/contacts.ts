import { command } from '../command.ts'
import { busy, fields, visible } from '../output.ts'
import { opened } from '../reading.ts'
import { instant, integer, iso, type Setting } from '../settings.ts'

interface Recorded {
  item_id: string
  at: string
  count: number
}

const FLAGS: Setting[] = [
  { flags: '--count <n>', about: 'so many at that instant; 1 without', read: integer(1, 100_000) },
  { flags: '--at <instant>', about: 'when, by the world’s clock; now without', read: instant },
  { flags: '--buyer <id>', about: 'who it was; a guest without', read: integer(0) },
]

/** What a buyer does on a listing, by the command for it. */
const KINDS = {
  'view-phone': { kind: 'phone_view', about: 'See the phone number of a listing, as buyers do', name: 'phone view' },
  'click-message': { kind: 'whatsapp', about: 'Click the messaging button of a listing, as buyers do', name: 'click' },
}

const oneContact = Object.entries(KINDS).map(([words, { kind, about, name }]) =>
  command<Recorded>({
    words,
    about,
    args: [['<item>', 'id of the listing']],
    flags: FLAGS,
    examples: [`${words} MLA1400000001`, `${words} MLA1400000001 --count 20 --at 2026-03-02T12:00:00Z`],
    run: ({ client, args: [item_id], flags: { count, at, buyer: buyer_id } }) =>
      client.call('POST /contacts', { kind, item_id, at: iso(at), count, buyer_id }),
    show: ({ item_id, at, count }) => `${count} ${name}${count === 1 ? '' : 's'} of ${visible(item_id)} at ${at}`,
  }),
)

export const contactCommands = [
  ...oneContact,
  command<{ imported: number }>({
    words: 'import',
    about: 'Record phone views, clicks and questions from a file, one JSON object a line',
    args: [['<file>', 'NDJSON; - for standard input']],
    examples: [
      'import contacts.ndjson',
      `import - <<< '{"kind":"phone_view","item_id":"MLA1400000001","at":"2026-03-02T12:00:00Z"}'`,
    ],
    async run({ client, args: [file] }) {
      const { stream, done } = opened(file)
      try {
        return await client.call('POST /contacts', { stream, type: 'application/x-ndjson' })
      } finally {
        done()
      }
    },
    show: ({ imported }) => `${imported} imported`,
  }),
  command<object>({
    words: 'simulate',
    about: 'Fill the world’s listings with believable buyers’ traffic',
    flags: [
      { flags: '--days <n>', about: 'how many days, the last of them today', fallback: 30, read: integer(1) },
      { flags: '--profile <name>', about: 'how many come: quiet, normal, busy or peak; normal without' },
      { flags: '--user <id>', about: 'only this seller’s listings', read: integer(0) },
      { flags: '--seed <number>', about: 'the same seed makes the same traffic', read: integer(0) },
      { flags: '--no-notify', about: 'tell no application of the questions' },
    ],
    examples: ['simulate --days 30', 'simulate --days 90 --no-notify'],
    run: ({ client, flags: { days, profile, seed, user: user_id, notify } }) =>
      busy('simulating', client.call('POST /simulate', { days, profile, seed, user_id, notify })),
    show: (answer) => fields({ ...answer }),
  }),
]
