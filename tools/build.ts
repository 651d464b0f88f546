import { existsSync, globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PARTS, type Part } from './build/parts.ts'
import { at, root } from './root.ts'

// `node tools/build.ts` builds `dist/`: the program, and the assets that it reads at run time. A part is built again only if
// a file that it was made from has changed since.

const STAMPS = at('dist/built.json')
/** Every part is made by them, too. */
const BUILD_FILES = globSync(['tools/build/*.ts', 'package.json'], { cwd: root })

/** Modification times of the files that each part was made from. */
type Stamps = Record<string, Record<string, number>>

/** Builds all parts that are out of date, or those of the given names. Resolves with the names of what was built. */
export async function buildAll(isWanted: (part: string) => boolean = () => true): Promise<string[]> {
  mkdirSync(at('dist/assets'), { recursive: true })
  const stale = PARTS.filter((part) => (isWanted(part.name) && !isFresh(part)) || !existsSync(at(part.output)))
  // Generating scenarios and the program need the migrations and rules of the first part.
  for (const part of stale.filter(({ isFirst }) => isFirst)) await build(part)
  await Promise.all(stale.filter(({ isFirst }) => !isFirst).map(build))
  return stale.map(({ name }) => name)
}

/** Builds a part that is not one of `buildAll`, if it is out of date. */
export async function buildPart(part: Part): Promise<void> {
  if (!isFresh(part)) await build(part)
}

function isFresh({ name, output, inputs }: Part): boolean {
  const stamp = readStamps()[name]
  if (!stamp || !existsSync(at(output))) return false
  return [...new Set([...Object.keys(stamp), ...(inputs?.() ?? []), ...BUILD_FILES])].every(
    (path) => stamp[path] === modifiedAt(path),
  )
}

async function build(part: Part): Promise<void> {
  const began = Date.now()
  const inputs = new Set([...(await part.build()), ...(part.inputs?.() ?? []), ...BUILD_FILES])
  // A file that has changed during the build may be in it or not.
  const stamps = [...inputs].map((path) => [path, modifiedAt(path)] as const)
  const stamp = stamps.map(([path, at]) => [path, at < began ? at : 0])
  const file = `${STAMPS}.${process.pid}`
  writeFileSync(file, JSON.stringify({ ...readStamps(), [part.name]: Object.fromEntries(stamp) }))
  renameSync(file, STAMPS)
}

/** Ms; 0 if there is no such file. */
const modifiedAt = (path: string): number => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0

const readStamps = (): Stamps => (existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {})

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll()
