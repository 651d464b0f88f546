import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import Sqlite from 'better-sqlite3'
import { median, percent, quantile, table, two, whole } from '../tables.ts'
import { AFTER } from './after_writes.ts'
import { type Entrant, type Field, FULL, KEPT, MINIMUM, NORMAL, OURS } from './entrants.ts'
import { ROWS, type RowName } from './facts.ts'
import { CONNECTIONS, type Measured, type Pace, type Series, STABLE } from './measure.ts'
import { javaVersion } from './roster.ts'

// BENCHMARKS.md, as it is written.

export interface Run {
  /** What was asked of bench/run.ts. */
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

export const report = (field: Field, measured: Measured, { command, pace, seconds }: Run): string =>
  [
    '# Benchmarks',
    `Written by \`npm run bench -- ${command}\` (\`node bench/run.ts ${command}\`) on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, in
     ${whole(seconds)} s. Rates of one machine mean little on another: what counts are the ratios, each of two turns of the
     same round.`,
    environment(field),
    '## Requests per second',
    `One core for the server, another for the load, ${pace.rounds} rounds. In each everybody has a turn of ${pace.turn} s with each kind
     of request, there and back; those whose turn it is not are stopped. Medians; in brackets, times the honest minimum
     of the same round. An asterisk: a fixed text, which was handed to the server and which it sends whatever the world
     holds; all others look into what they hold with every request.`,
    ...CONNECTIONS.flatMap((connections) => [
      `### On ${connections} keep-alive connection${connections > 1 ? 's' : ''}`,
      rates(field, measured, connections),
    ]),
    noteOnLoad(field, measured),
    '### After a write',
    `Every read follows a write that changes its answer, on one connection: what write and read take, less what the write
     takes alone. Requests per second of the server's time on its core; in brackets by the clock, where each also goes
     there and back.`,
    afterTable(measured),
    '## Goals',
    `Medians of the ratios by round, and their middle half: by the clock on ${CONNECTIONS[0]} connections, reads after a write by the
     server's time. The other of the two is in the next column: where they differ much, the core was not the server's
     alone.`,
    goals(field, measured),
    '## Who is who',
    `The same requests to all (json-server has its own addresses), the same one each time, but for creating; keep-alive,
     one at a time on each connection. Each answer was held against ours before. During the load each must be a success
     and, where it is read, have as many bytes as the one asked for just before. Warmed up with each kind of request in
     turns until three in a row were within ${percent(STABLE)} of each other, or for ${pace.warmUp.java} s at most where there is a JVM, else
     ${pace.warmUp.node} s.`,
    who(field, measured),
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

function environment({ facts, entrants }: Field): string {
  const { model } = cpus()[0]!
  const packages = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).dependencies
  const db = new Sqlite(':memory:')
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!
  db.close()
  const sizes = facts.fixed.map(({ row, body }) => `${TITLES[row]} ${Buffer.byteLength(body)} B`)
  return table(
    ['', ''],
    [
      ['machine', `${cpus().length} cores, ${model.trim()}, ${whole(totalmem() / 2 ** 30)} GiB`],
      ['system', `${process.platform} ${release().split('.', 2).join('.')}, ${process.arch}`],
      ['Node', process.version.slice(1)],
      ['SQLite', `${sqlite}, better-sqlite3 ${packages['better-sqlite3']}`],
      ['Fastify', packages.fastify],
      ['Java', entrants.some(({ java }) => java) ? javaVersion()! : 'none'],
      ['answers', sizes.join(', ')],
      ['the seller has', `${facts.rows.questions.length} questions`],
    ],
  )
}

function rates({ entrants, missing }: Field, measured: Measured, connections: number): string {
  const cell = (entrant: Entrant, row: RowName): string => {
    const series = measured.of(row, connections, entrant.name)
    if (!series) return '–'
    const minimum = measured.of(row, connections, MINIMUM)!
    const mark = entrant.kinds[row] === 'fixed' ? '*' : ''
    return `${thousands(median(series.perSecond))}${mark} (${two(ratio(series, minimum, 'perSecond'))})`
  }
  return table(
    ['', ...ROWS.map((row) => TITLES[row])],
    [
      ...entrants.map((entrant) => [entrant.name, ...ROWS.map((row) => cell(entrant, row))]),
      ...missing.map(({ name }) => [name, ...ROWS.map(() => '–')]),
    ],
  )
}

/** Where the load, and not the server, was the limit, the rate is only a lower bound. */
function noteOnLoad({ entrants }: Field, measured: Measured): string {
  const limited = entrants.flatMap(({ name }) =>
    ROWS.filter((row) => {
      const series = measured.of(row, CONNECTIONS[0], name)
      return series !== undefined && median(series.loadBusy) > 0.95
    }).map((row) => `${name}, ${row}`),
  )
  return limited.length === 0
    ? 'The load was nowhere the limit.'
    : `The load was the limit, so that the rate is a lower bound: ${limited.join('; ')}.`
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
  /** Undefined: shown, but nothing to be ahead of. */
  least?: number
  /** Whether it is the server's time that decides. */
  byCpu?: boolean
}

function goals(field: Field, measured: Measured): string {
  const [most] = CONNECTIONS
  const of = (row: RowName, name: string) => measured.of(row, most, name)!
  const rows: Goal[] = [
    { what: 'question', ours: of('question', OURS), against: MINIMUM, other: of('question', MINIMUM), least: 0.9 },
    ...AFTER.map((row) => ({
      ...{ what: `${row}, asked again`, ours: of(row, OURS) },
      ...{ against: MINIMUM, other: of(row, MINIMUM), least: 3.5 },
    })),
    ...AFTER.map((row) => ({
      ...{ what: `${row}, after a write`, ours: measured.after(row, OURS) },
      ...{ against: MINIMUM, other: measured.after(row, MINIMUM), least: 0.9, byCpu: true },
    })),
    { what: 'create, kept', ours: of('create', KEPT), against: FULL, other: of('create', FULL), least: 0.8 },
    {
      ...{ what: 'create, temporary', ours: of('create', OURS) },
      ...{ against: MINIMUM, other: of('create', MINIMUM), least: 0.8 },
    },
    {
      ...{ what: 'create, temporary', ours: of('create', OURS) },
      ...{ against: NORMAL, other: of('create', NORMAL), least: 0.8 },
    },
    ...ROWS.flatMap((row) => ahead(field, measured, row)),
  ]
  return table(
    ['', 'against', 'ratio', 'middle half', 'by core', 'goal', ''],
    rows.map(({ what, ours, against, other, least, byCpu }) => {
      const [first, second] = byCpu ? (['perCpu', 'perSecond'] as const) : (['perSecond', 'perCpu'] as const)
      const all = ratios(ours, other, first)
      return [
        what,
        against,
        two(median(all)),
        `${two(quantile(all, 0.25))}–${two(quantile(all, 0.75))}`,
        byCpu ? `(clock ${two(ratio(ours, other, second))})` : two(ratio(ours, other, second)),
        least === undefined ? 'none: it stores nothing' : least === 1 ? 'ahead' : two(least),
        least === undefined ? '' : median(all) >= least ? 'met' : 'MISSED',
      ]
    }),
  )
}

/** Ours against the fastest peer, and against the fastest that really queries. */
function ahead({ entrants }: Field, measured: Measured, row: RowName): Goal[] {
  const [most] = CONNECTIONS
  const rate = ({ name }: Entrant) => median(measured.of(row, most, name)!.perSecond)
  const peers = entrants.filter(({ peer }) => peer).sort((a, b) => rate(b) - rate(a))
  const best = [peers[0], peers.find(({ kinds }) => kinds[row] === 'queries')]
  return [...new Set(best.filter((peer) => peer !== undefined))].map(({ name, kinds }) => ({
    what: row,
    ours: measured.of(row, most, OURS)!,
    against: `${name}${kinds[row] === 'fixed' ? '*' : ''}`,
    other: measured.of(row, most, name)!,
    ...(!(row === 'create' && kinds[row] === 'fixed') && { least: 1 }),
  }))
}

function who({ entrants, missing }: Field, { warmUps }: Measured): string {
  const warm = ({ name }: Entrant) => {
    const all = ROWS.map((row) => warmUps.get(`${row}/${name}`)).filter((one) => one !== undefined)
    const seconds = all.reduce((sum, one) => sum + one.seconds, 0)
    return `${seconds.toFixed(1)} s${all.every(({ stable }) => stable) ? '' : ', not all stable'}`
  }
  const same = ({ unlike }: Entrant) => {
    if (unlike.length === 0) return 'the same bytes'
    return `the same bytes, but ${unlike.map((row) => `${row}: ${row === 'page' ? 'rows, count in a header' : 'members in another order'}`).join('; ')}`
  }
  return table(
    ['', 'set up', 'answers', 'warmed up'],
    [
      ...entrants.map((entrant) => [entrant.name, entrant.setting, same(entrant), warm(entrant)]),
      ...missing.map(({ name, why }) => [name, why, '', '']),
    ],
  )
}

const ratios = (ours: Series, other: Series, by: 'perSecond' | 'perCpu'): number[] =>
  ours[by].map((rate, round) => rate / other[by][round]!)
const ratio = (ours: Series, other: Series, by: 'perSecond' | 'perCpu'): number => median(ratios(ours, other, by))
const thousands = (n: number): string => whole(n).replace(/\B(?=(\d{3})+$)/g, ',')
