import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import Sqlite from 'better-sqlite3'
import { median, percent, quantile, table, two, whole } from '../tables.ts'
import { AFTER } from './after_writes.ts'
import { CONNECTIONS, type Measured, type Pace, type Series, STABLE } from './measure.ts'
import { javaVersion } from './other_servers.ts'
import { FULL, KEPT, MINIMUM, NORMAL, OURS, type Participant, type Participants } from './participants.ts'
import { ROWS, type RowName } from './test_data.ts'

// Writes BENCHMARKS.md.

export interface Run {
  /** Arguments of bench/run.ts. */
  command: string
  pace: Pace
  seconds: number
}

const TITLES: Record<RowName, string> = {
  question: 'question',
  page: 'page of 50 with its count',
  series: 'series of 30 days',
  create: 'create',
}

export const report = (field: Participants, measured: Measured, { command, pace, seconds }: Run): string =>
  [
    '# Benchmarks',
    `Written by \`npm run bench -- ${command}\` (\`node bench/run.ts ${command}\`) on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, in
     ${whole(seconds)} s. Rates of one machine mean little on another. The ratios count; each compares two turns of the same
     round.`,
    environment(field),
    '## Requests per second',
    `One core for the server, another for the load, ${pace.rounds} rounds. In each, every server has a turn of ${pace.turn} s with each kind
     of request, in both orders; the others are stopped meanwhile. Medians; in brackets, the ratio to the minimum in the
     same round. An asterisk marks a fixed text that the server was configured with; all others read their data for
     every request.`,
    ...CONNECTIONS.flatMap((connections) => [
      `### On ${connections} keep-alive connection${connections > 1 ? 's' : ''}`,
      rates(field, measured, connections),
    ]),
    noteOnLoad(field, measured),
    '### After a write',
    `Every read follows a write that changes its answer, on one connection: the time of write and read, minus the time of
     the write alone. Requests per second of the server's CPU time; in brackets by the clock, which includes the round
     trip.`,
    afterTable(measured),
    '## Goals',
    `Medians of the ratios by round, and their middle half: by the clock on ${CONNECTIONS[0]} connections, reads after a write by CPU
     time. The next column has the other of the two: if they differ much, other processes used the server's core.`,
    goals(field, measured),
    '## Servers',
    `All get the same requests (json-server has other addresses), always the same one except for creating, on keep-alive
     connections, one at a time on each. Each answer was compared with ours before. During the load each must be a
     success, and each read must have the right number of bytes. Warmed up with each kind of request until three turns
     in a row were within ${percent(STABLE)} of each other, at most ${pace.warmUp.java} s with a JVM, else ${pace.warmUp.node} s.`,
    setupTable(field, measured),
  ]
    .map((part) => (part.startsWith('|') ? part : `${wrapped(part)}\n`))
    .join('\n')

/** In lines of at most 120 columns. */
function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!
    if (line.length + word.length >= 120) lines.push(word)
    else lines[lines.length - 1] = line && `${line} ${word}`
    lines[lines.length - 1] ||= word
  }
  return lines.join('\n')
}

function environment({ data, participants }: Participants): string {
  const { model } = cpus()[0]!
  const packages = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).dependencies
  const db = new Sqlite(':memory:')
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!
  db.close()
  const sizes = data.fixed.map(({ row, body }) => `${TITLES[row]} ${Buffer.byteLength(body)} B`)
  return table(
    ['', ''],
    [
      ['machine', `${cpus().length} cores, ${model.trim()}, ${whole(totalmem() / 2 ** 30)} GiB`],
      ['system', `${process.platform} ${release().split('.', 2).join('.')}, ${process.arch}`],
      ['Node', process.version.slice(1)],
      ['SQLite', `${sqlite}, better-sqlite3 ${packages['better-sqlite3']}`],
      ['Fastify', packages.fastify],
      ['Java', participants.some(({ isJava: java }) => java) ? javaVersion()! : 'none'],
      ['answers', sizes.join(', ')],
      ['the seller has', `${data.rows.questions.length} questions`],
    ],
  )
}

function rates({ participants, missing }: Participants, measured: Measured, connections: number): string {
  const cell = (participant: Participant, row: RowName): string => {
    const series = measured.of(row, connections, participant.name)
    if (!series) return '–'
    const minimum = measured.of(row, connections, MINIMUM)!
    const mark = participant.kinds[row] === 'fixed' ? '*' : ''
    return `${thousands(median(series.perSecond))}${mark} (${two(ratio(series, minimum, 'perSecond'))})`
  }
  return table(
    ['', ...ROWS.map((row) => TITLES[row])],
    [
      ...participants.map((participant) => [participant.name, ...ROWS.map((row) => cell(participant, row))]),
      ...missing.map(({ name }) => [name, ...ROWS.map(() => '–')]),
    ],
  )
}

/** If the load generator was the bottleneck, the rate is a lower bound. */
function noteOnLoad({ participants }: Participants, measured: Measured): string {
  const limited = participants.flatMap(({ name }) =>
    ROWS.filter((row) => {
      const series = measured.of(row, CONNECTIONS[0], name)
      return series !== undefined && median(series.loadBusy) > 0.95
    }).map((row) => `${name}, ${row}`),
  )
  return limited.length === 0
    ? 'The load generator was never the bottleneck.'
    : `The load generator was the bottleneck, so that the rate is a lower bound: ${limited.join('; ')}.`
}

const afterTable = (measured: Measured): string =>
  table(
    ['', ...AFTER.map((row) => `${TITLES[row]}`)],
    [OURS, MINIMUM].map((name) => [
      name,
      ...AFTER.map((row) => {
        const series = measured.after(row, name)
        return `${thousands(median(series.perCpu))} (${thousands(median(series.perSecond))})`
      }),
    ]),
  )

interface Goal {
  what: string
  ours: Series
  against: string
  other: Series
  /** Undefined: no goal. */
  min?: number
  /** CPU time decides, not the clock. */
  byCpu?: boolean
}

function goals(field: Participants, measured: Measured): string {
  const [connections] = CONNECTIONS
  const of = (row: RowName, name: string) => measured.of(row, connections, name)!
  const rows: Goal[] = [
    { what: 'question', ours: of('question', OURS), against: MINIMUM, other: of('question', MINIMUM), min: 0.9 },
    ...AFTER.map((row) => ({
      ...{ what: `${row}, asked again`, ours: of(row, OURS) },
      ...{ against: MINIMUM, other: of(row, MINIMUM), min: 3.5 },
    })),
    ...AFTER.map((row) => ({
      ...{ what: `${row}, after a write`, ours: measured.after(row, OURS) },
      ...{ against: MINIMUM, other: measured.after(row, MINIMUM), min: 0.9, byCpu: true },
    })),
    { what: 'create, kept', ours: of('create', KEPT), against: FULL, other: of('create', FULL), min: 0.8 },
    {
      ...{ what: 'create, temporary', ours: of('create', OURS) },
      ...{ against: MINIMUM, other: of('create', MINIMUM), min: 0.8 },
    },
    {
      ...{ what: 'create, temporary', ours: of('create', OURS) },
      ...{ against: NORMAL, other: of('create', NORMAL), min: 0.8 },
    },
    ...ROWS.flatMap((row) => goalsAgainstPeers(field, measured, row)),
  ]
  return table(
    ['', 'against', 'ratio', 'middle half', 'by core', 'goal', ''],
    rows.map(({ what, ours, against, other, min, byCpu }) => {
      const [first, second] = byCpu ? (['perCpu', 'perSecond'] as const) : (['perSecond', 'perCpu'] as const)
      const all = ratios(ours, other, first)
      return [
        what,
        against,
        two(median(all)),
        `${two(quantile(all, 0.25))}–${two(quantile(all, 0.75))}`,
        byCpu ? `(clock ${two(ratio(ours, other, second))})` : two(ratio(ours, other, second)),
        min === undefined ? 'none: it stores nothing' : min === 1 ? 'ahead' : two(min),
        min === undefined ? '' : median(all) >= min ? 'met' : 'MISSED',
      ]
    }),
  )
}

/** Ours against the fastest peer, and against the fastest that runs queries. */
function goalsAgainstPeers({ participants }: Participants, measured: Measured, row: RowName): Goal[] {
  const [connections] = CONNECTIONS
  const rate = ({ name }: Participant) => median(measured.of(row, connections, name)!.perSecond)
  const peers = participants.filter(({ isPeer: peer }) => peer).sort((a, b) => rate(b) - rate(a))
  const best = [peers[0], peers.find(({ kinds }) => kinds[row] === 'queries')]
  return [...new Set(best.filter((peer) => peer !== undefined))].map(({ name, kinds }) => ({
    what: row,
    ours: measured.of(row, connections, OURS)!,
    against: `${name}${kinds[row] === 'fixed' ? '*' : ''}`,
    other: measured.of(row, connections, name)!,
    ...(!(row === 'create' && kinds[row] === 'fixed') && { min: 1 }),
  }))
}

function setupTable({ participants, missing }: Participants, { warmUps }: Measured): string {
  const warm = ({ name }: Participant) => {
    const all = ROWS.map((row) => warmUps.get(`${row}/${name}`)).filter((one) => one !== undefined)
    const seconds = all.reduce((sum, one) => sum + one.seconds, 0)
    return `${seconds.toFixed(1)} s${all.every(({ stable }) => stable) ? '' : ', not all stable'}`
  }
  const same = ({ differentRows: unlike }: Participant) => {
    if (unlike.length === 0) return 'the same bytes'
    return `the same bytes, but ${unlike.map((row) => `${row}: ${row === 'page' ? 'rows, count in a header' : 'members in another order'}`).join('; ')}`
  }
  return table(
    ['', 'set up', 'answers', 'warmed up'],
    [
      ...participants.map((participant) => [
        participant.name,
        participant.setting,
        same(participant),
        warm(participant),
      ]),
      ...missing.map(({ name, why }) => [name, why, '', '']),
    ],
  )
}

const ratios = (ours: Series, other: Series, by: 'perSecond' | 'perCpu'): number[] =>
  ours[by].map((rate, round) => rate / other[by][round]!)
const ratio = (ours: Series, other: Series, by: 'perSecond' | 'perCpu'): number => median(ratios(ours, other, by))
const thousands = (n: number): string => whole(n).replace(/\B(?=(\d{3})+$)/g, ',')
