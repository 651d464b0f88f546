import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printable } from '../domains/shared/commands.ts'
import { redactTokens } from '../http/journal/redaction.ts'
import { matchPath } from '../http/stubs/stubs.ts'
import { usageError } from '../lib/cli/errors.ts'
import type { Imported } from '../stub_import/calls.ts'
import { readStubs } from '../stub_import/index.ts'
import { operationsOf, readKnown, type ScannedCall, type ScanReport, statusOf } from './known.ts'
import { rootsOf } from './paths.ts'
import { callsOf, readSource, type SourceFile } from './resolve.ts'
import { sourcesOf } from './sources.ts'
import { STUBS_FILE } from './write.ts'

export { writeFirst } from './write.ts'

type StubMatch = Imported['stubs'][number]['match']

const MARKETPLACE = /mercado[ _-]?li[bv]re|mercadito|meli/i

/** The calls to the marketplace that the sources below a folder make. Nothing is run. Throws a CliError. */
export async function scan(folder: string, stubs: readonly StubMatch[]): Promise<ScanReport> {
  const known = readKnown()
  const roots = rootsOf([...known.keys()])
  const skipped = { files: 0 }
  const sources: SourceFile[] = []
  let isOfMarketplace = false
  for await (const { file, language, text } of sourcesOf(folder, skipped)) {
    isOfMarketplace ||= MARKETPLACE.test(text)
    sources.push(readSource(file, language, text, roots))
  }
  if (sources.length === 0)
    throw usageError(`${printable(folder)}: no sources in JavaScript, TypeScript, Python, PHP, Ruby, Go, Java or C#`)
  const found = isOfMarketplace ? callsOf(sources, roots, (path) => operationsOf(known, path) !== undefined) : []
  const calls = new Map<string, ScannedCall>()
  const shown = new Set(found.filter(({ method }) => method !== undefined).map(({ path }) => path))
  for (const { path, file, line, ...rest } of found) {
    const operations = operationsOf(known, path)
    const [only, ...more] = Object.keys(operations ?? {})
    const method = rest.method ?? (more.length === 0 ? only?.toUpperCase() : undefined)
    // Without a method only where none is known.
    if (method === undefined && shown.has(path)) continue
    const answered = statusOf(operations, method)
    const status = answered === 'missing' && stubs.some((stub) => isFor(stub, method, path)) ? 'stub' : answered
    const key = `${path} ${method ?? ''}`
    const call = calls.get(key) ?? { method: method ?? null, path: redactTokens(path), status, places: [] }
    const place = `${file}:${line}`
    if (!call.places.includes(place)) call.places.push(place)
    calls.set(key, call)
  }
  const sorted = [...calls].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, call]) => call)
  const language = mostOf(found.length > 0 ? found : sources)
  return { files: sources.length, language, calls: sorted, skipped: skipped.files }
}

const isFor = (stub: StubMatch, method: string | undefined, path: string): boolean =>
  matchPath(stub.path, path) !== undefined && (method === undefined || (stub.method ?? method).toUpperCase() === method)

const mostOf = (list: readonly { language: string }[]): string =>
  [...Map.groupBy(list, ({ language }) => language)].sort(([, a], [, b]) => b.length - a.length)[0]![0]

/** What answers beside the API: the stubs of a file, those that `writeFirst` has made, and those of `mercadito.json`. */
export async function stubsOf(folder: string, file: string | undefined): Promise<StubMatch[]> {
  const own = join(folder, STUBS_FILE)
  const documents = [...(file === undefined ? [] : [file]), ...(existsSync(own) ? [own] : [])]
  const imported = await Promise.all(documents.map((one) => readStubs(one, {})))
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8').catch(() => '{}'))
  const { load } = (await read('mercadito.json')) as { load?: string }
  const world = load === undefined ? {} : ((await read(load)) as { stubs?: { match: StubMatch }[] })
  return [...imported.flatMap(({ stubs }) => stubs), ...(world.stubs ?? [])].map(({ match }) => match)
}
