import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Call, Exchange, Plane } from './exchange.ts'

const folder = fileURLToPath(new URL('./fixtures', import.meta.url))
const fileOf = (name: string) => `${folder}/${name}.json.zst`
// Texts that repeat are far apart: the window must reach them.
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 26,
}

/** The world that calls are replayed in. */
export interface Setup {
  scenario: 'demo' | 'empty'
  seed: number
  /** Takes too long for `npm test`. */
  isLong: boolean
  /** Deliveries change the world by themselves: each call waits for those that the one before has caused. */
  settles: boolean
  options?: { load?: string }
}
export interface Script {
  setup: Setup
  calls: Call[]
}

/** Each text once: most answers come often. */
interface Stored {
  texts: string[]
  /** Two numbers of texts for each exchange: call, answer. */
  exchanges: [call: number, answer: number][]
}

const read = (name: string): unknown => JSON.parse(zstdDecompressSync(readFileSync(fileOf(name))).toString())
const write = (name: string, value: unknown) =>
  writeFileSync(fileOf(name), zstdCompressSync(JSON.stringify(value), { params: PARAMS }))

export const hasAnswers = (part: string, plane: Plane): boolean => existsSync(fileOf(`${part}.${plane}`))

/** Undefined where the part has no answers of this plane. */
export function readAnswers(part: string, plane: Plane): Exchange[] {
  const { texts, exchanges } = read(`${part}.${plane}`) as Stored
  return exchanges.map(([call, answer]) => ({ plane, call: texts[call]!, answer: texts[answer]! }))
}

export function writeAnswers(part: string, plane: Plane, those: Exchange[]): void {
  const places = new Map<string, number>()
  const place = (text: string) => {
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, places.size)
    return places.size - 1
  }
  const exchanges = those.map(({ call, answer }): [number, number] => [place(call), place(answer)])
  write(`${part}.${plane}`, { texts: [...places.keys()], exchanges } satisfies Stored)
}

/** Names of the parts that are replays of recorded calls. */
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
