import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Call, Exchange, Plane } from './exchange.ts'

const folder = fileURLToPath(new URL('./fixtures', import.meta.url))
const fileOf = (name: string) => `${folder}/${name}.json.zst`
// Repeated texts are far apart, so the compression window must be large.
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 26,
}

/** The world in which calls are replayed. */
export interface Setup {
  scenario: 'demo' | 'empty'
  seed: number
  /** Whether it takes too long for `npm test`. */
  isLong: boolean
  /** Deliveries change the world asynchronously: each call waits until those of the previous one have ended. */
  settles: boolean
  options?: { load?: string }
}
export interface Script {
  setup: Setup
  calls: Call[]
}

/** Each text is stored once, because most answers are repeated. */
interface Stored {
  texts: string[]
  /** Indexes in `texts`. */
  exchanges: [call: number, answer: number][]
}

const read = (name: string): unknown => JSON.parse(zstdDecompressSync(readFileSync(fileOf(name))).toString())
const write = (name: string, value: unknown) =>
  writeFileSync(fileOf(name), zstdCompressSync(JSON.stringify(value), { params: PARAMS }))

export const hasAnswers = (part: string, plane: Plane): boolean => existsSync(fileOf(`${part}.${plane}`))

/** Reads the recorded answers of a part. */
export function readAnswers(part: string, plane: Plane): Exchange[] {
  const { texts, exchanges } = read(`${part}.${plane}`) as Stored
  return exchanges.map(([call, answer]) => ({ plane, call: texts[call]!, answer: texts[answer]! }))
}

export function writeAnswers(part: string, plane: Plane, answers: Exchange[]): void {
  const indexes = new Map<string, number>()
  const indexOf = (text: string) => {
    const known = indexes.get(text)
    if (known !== undefined) return known
    indexes.set(text, indexes.size)
    return indexes.size - 1
  }
  const exchanges = answers.map(({ call, answer }): [number, number] => [indexOf(call), indexOf(answer)])
  write(`${part}.${plane}`, { texts: [...indexes.keys()], exchanges } satisfies Stored)
}

/** Names of the parts that replay recorded calls. */
export const scripts = (): string[] =>
  globSync('*.calls.json.zst', { cwd: folder })
    .map((path) => basename(path, '.calls.json.zst'))
    .sort()

type StoredCall = Omit<Call, 'payload'> & { payload?: string; base64?: string }

export function readScript(part: string): Script {
  const { setup, calls } = read(`${part}.calls`) as { setup: Setup; calls: StoredCall[] }
  return {
    setup,
    calls: calls.map(({ base64, ...call }) =>
      base64 === undefined ? call : { ...call, payload: Buffer.from(base64, 'base64') },
    ),
  }
}

export function writeScript(part: string, { setup, calls }: Script): void {
  write(`${part}.calls`, {
    setup,
    calls: calls.map(({ payload, ...call }) =>
      payload === undefined
        ? call
        : typeof payload === 'string'
          ? { ...call, payload }
          : { ...call, base64: payload.toString('base64') },
    ),
  })
}
