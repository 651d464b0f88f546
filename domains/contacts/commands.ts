import type { Static } from '@sinclair/typebox'
import {
  atFlag,
  type CommandSet,
  defineCommand,
  InvalidValue,
  integer,
  parseInstantFlag,
  parseUser,
  printable,
  type Setting,
  table,
  toIso,
} from '../shared/commands.ts'
import type { RecordedContact } from './control/index.ts'
import type { ContactSeries, SeriesChanges } from './control/series.ts'

const FLAGS: Setting[] = [
  { flags: '--count <n>', description: 'how many at that instant; default: 1', parse: integer(1, 100_000) },
  atFlag('when'),
  { flags: '--buyer <user>', description: 'the buyer; default: a guest', parse: parseUser },
]

type Points = Static<typeof ContactSeries>['points']

const KIND: Setting = {
  flags: '--kind <name>',
  description: 'kind of the contacts',
  defaultValue: 'phone_view',
  choices: ['phone_view', 'messaging_click', 'question', 'visit'],
}
const UNIT: Setting = {
  flags: '--unit <unit>',
  description: 'length of an interval',
  defaultValue: 'hour',
  choices: ['hour', 'day'],
}

/** `2026-03-02T12:00:00Z=40`. */
function parsePoint(text: string, previous: Points = []): Points {
  const [at = '', total = '', ...rest] = text.split('=')
  if (!/^\d+$/.test(total) || rest.length > 0) throw new InvalidValue('It must be such as 2026-03-02T12:00:00Z=40.')
  return [...previous, { at: toIso(parseInstantFlag(at))!, total: Number(total) }]
}

/** Members that the lines of `import` do not have. */
const WORLD_FILE_START = /^\s*\{\s*"(\$schema|version)"/

/** The kind that each command records. */
const KINDS = {
  'contacts view-phone': {
    kind: 'phone_view',
    description: 'Record views of the phone number of a listing',
    unit: 'phone view',
  },
  'contacts click-message': {
    kind: 'whatsapp',
    description: 'Record clicks on the messaging button of a listing',
    unit: 'click',
  },
  'contacts visit': { kind: 'visit', description: 'Record visits of a listing', unit: 'visit' },
}

const contactKindCommands = Object.entries(KINDS).map(([name, { kind, description, unit }]) =>
  defineCommand<Static<typeof RecordedContact>>({
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
    name: 'contacts import',
    description: 'Record phone views, clicks, questions and visits from a file with one JSON object per line',
    args: [['<file>', 'NDJSON; - for standard input']],
    examples: [
      'contacts import contacts.ndjson',
      `contacts import - <<< '{"kind":"phone_view","item_id":"MLA1400000001","at":"2026-03-02T12:00:00Z"}'`,
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
          throw new Error(`${printable(file)} is a world file; use \`mercadito world load ${printable(file)}\``)
        }
      }),
    format: ({ imported }) => `${imported} imported`,
  }),
  defineCommand<Static<typeof ContactSeries>>({
    name: 'contacts series',
    description: 'Show the contacts of a listing or seller by hour or day',
    flags: [
      KIND,
      { flags: '--item <id>', description: 'of this listing', conflicts: ['user'] },
      { flags: '--user <user>', description: 'of this seller, with all listings', parse: parseUser },
      UNIT,
      {
        flags: '--from <instant>',
        description: 'start; default: a week of hours or 30 days before the end',
        parse: parseInstantFlag,
      },
      { flags: '--to <instant>', description: 'end; default: now', parse: parseInstantFlag },
    ],
    members: { item_id: '--item', user_id: '--user' },
    isDefault: true,
    examples: ['contacts --item MLA1400000001', 'contacts --user 2500000101 --kind messaging_click --unit day'],
    run: ({ client, flags: { kind, item: item_id, user: user_id, unit, from, to } }) =>
      client.get('/contacts/series', { kind, item_id, user_id, unit, from: toIso(from), to: toIso(to) }),
    format: ({ points }) =>
      table(
        ['from', 'contacts'],
        points.map(({ at, total }) => [at, total]),
      ),
  }),
  defineCommand<Static<typeof SeriesChanges>>({
    name: 'contacts set',
    description: 'Set the contacts of a listing in hours or days, to more or to fewer than before',
    args: [
      ['<item>', 'id of the listing'],
      ['<points...>', 'start of an hour or day, and its contacts: 2026-03-02T12:00:00Z=40', parsePoint],
    ],
    flags: [{ ...KIND, choices: ['phone_view', 'messaging_click', 'visit'] }, UNIT],
    members: { points: '<points...>' },
    examples: [
      'contacts set MLA1400000001 2026-03-02T12:00:00Z=40 2026-03-02T13:00:00Z=0',
      'contacts set MLA1400000001 2026-03-02T04:00:00Z=120 --unit day --kind messaging_click',
    ],
    run: ({ client, args: [item_id, points], flags: { kind, unit } }) =>
      client.call('PUT /contacts/series', { kind, item_id, unit, points }),
    format: ({ changed, added, removed }) => `${changed} changed: ${added} contacts added, ${removed} removed`,
  }),
]

export default {
  parents: { contacts: 'Phone views, message clicks and visits: record, import, count, set them' },
  commands,
} satisfies CommandSet
