import {
  type CommandSet,
  defineCommand,
  integer,
  parseInstantFlag,
  printable,
  type Setting,
  toIso,
} from '../shared/commands.ts'

interface Recorded {
  item_id: string
  at: string
  count: number
}

const FLAGS: Setting[] = [
  { flags: '--count <n>', description: 'how many at that instant; default: 1', parse: integer(1, 100_000) },
  { flags: '--at <instant>', description: 'when, in world time; default: now', parse: parseInstantFlag },
  { flags: '--buyer <id>', description: 'the buyer; default: a guest', parse: integer(0) },
]

/** Members that the lines of `import` do not have. */
const WORLD_FILE_START = /^\s*\{\s*"(\$schema|version)"/

/** The kind that each command records. */
const KINDS = {
  'view-phone': {
    kind: 'phone_view',
    description: 'Record views of the phone number of a listing',
    unit: 'phone view',
  },
  'click-message': {
    kind: 'whatsapp',
    description: 'Record clicks on the messaging button of a listing',
    unit: 'click',
  },
}

const contactKindCommands = Object.entries(KINDS).map(([name, { kind, description, unit }]) =>
  defineCommand<Recorded>({
    name,
    description,
    args: [['<item>', 'id of the listing']],
    flags: FLAGS,
    examples: [`${name} MLA1400000001`, `${name} MLA1400000001 --count 20 --at 2026-03-02T12:00:00Z`],
    run: ({ client, args: [item_id], flags: { count, at, buyer: buyer_id } }) =>
      client.call('POST /contacts', { kind, item_id, at: toIso(at), count, buyer_id }),
    format: ({ item_id, at, count }) => `${count} ${unit}${count === 1 ? '' : 's'} of ${printable(item_id)} at ${at}`,
  }),
)

const commands = [
  ...contactKindCommands,
  defineCommand<{ imported: number }>({
    name: 'import',
    description: 'Record phone views, clicks and questions from a file with one JSON object per line',
    args: [['<file>', 'NDJSON; - for standard input']],
    examples: [
      'import contacts.ndjson',
      `import - <<< '{"kind":"phone_view","item_id":"MLA1400000001","at":"2026-03-02T12:00:00Z"}'`,
    ],
    run: ({ client, args: [file], sendFile }) =>
      sendFile(file, async (stream) => {
        let start = ''
        stream.once('data', (chunk) => {
          start = String(chunk).slice(0, 100)
        })
        try {
          return await client.call('POST /contacts', { stream, type: 'application/x-ndjson' })
        } catch (error) {
          if (!WORLD_FILE_START.test(start)) throw error
          throw new Error(`${printable(file)} is a world file; use \`mercadito load ${printable(file)}\``)
        }
      }),
    format: ({ imported }) => `${imported} imported`,
  }),
]

export default { commands } satisfies CommandSet
