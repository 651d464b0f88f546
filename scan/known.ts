import { readAsset } from '../db/assets.ts'

type Status = 'emulated' | 'typed' | 'stub' | 'missing'

export interface ScanReport {
  files: number
  /** The language of most calls, else of most files. */
  language: string
  calls: ScannedCall[]
  /** Files: large, minified or bundled ones, and those beyond the limit. */
  skipped: number
}

export interface ScannedCall {
  /** Null if the sources do not show it. */
  method: string | null
  /** With `{}` for values. */
  path: string
  status: Status
  /** `file:line` */
  places: string[]
}

type Operations = Record<string, { tags: string[] }>
type Document = { paths: Record<string, Operations> }

/** What the emulated API has: methods by path. */
export const readKnown = (): Map<string, Operations> =>
  new Map(Object.entries((JSON.parse(readAsset('openapi.json').toString()) as Document).paths))

/** Of the path with the most parts that are written out. */
export const operationsOf = (known: ReadonlyMap<string, Operations>, path: string): Operations | undefined =>
  [...known]
    .filter(([template]) => matches(template, path))
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)[0]?.[1]

export function statusOf(operations: Operations | undefined, method: string | undefined): Status {
  const operation = Object.entries(operations ?? {}).find(
    ([name]) => method === undefined || name === method.toLowerCase(),
  )
  if (!operation) return 'missing'
  return operation[1].tags.includes('Answers without state') ? 'typed' : 'emulated'
}

/** A value of the program matches a parameter only; `{path}` is all that follows. Most differ in their first letter. */
function matches(template: string, path: string): boolean {
  if (template[1] !== path[1] && template[1] !== '{') return false
  const wanted = template.split('/')
  const parts = path.split('/')
  if (wanted.at(-1) === '{path}') parts.splice(wanted.length)
  return wanted.length === parts.length && wanted.every((part, n) => part.startsWith('{') || part === parts[n])
}
