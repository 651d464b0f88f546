import { type Context, contextOf } from './contexts.ts'
import type { Language } from './languages.ts'
import { type FoundPath, HOLE, pathOf } from './paths.ts'
import { joinTexts, type Text, textsOf } from './texts.ts'

export interface SourceFile {
  /** Below the folder. */
  file: string
  language: string
  code: string
  texts: Built[]
}

interface Built extends Text {
  /** The variable, constant or member that becomes it. */
  defines: string | undefined
  source: SourceFile
}

const DEFINED = /([\w$]+)\x04?(?:\s*\{[^{}]*\}|\s*\??:[ \w.<>[\]|]+)?\s*(?:=>?|:=|:|[+.]=)\s*$/
const DEFINED_IN_GO = /(?!(?:const|var)\b)\b([\w$]+)(?:[ \t]+[\w.*[\]]+)?[ \t]*:?=\s*$/
/** So many paths that the emulated API has are no accident. */
const ENOUGH_KNOWN = 3
const IS_ADDRESS = /url|uri|base|host|endpoint|path|api|root|[A-Z]{3}/i

export function readSource(file: string, language: Language, source: string, roots: ReadonlySet<string>): SourceFile {
  const code = joinTexts(source, language)
  const read: SourceFile = { file, language: language.name, code, texts: [] }
  for (const text of textsOf(code)) {
    if (!/[/\x01]/.test(text.text) && !roots.has(text.text.replace('?', ''))) continue
    const before = code.slice(Math.max(0, text.at - 150), text.at)
    const defines = (language.name === 'go' ? DEFINED_IN_GO : DEFINED).exec(before)?.[1]?.replace(/^[$@]+/, '')
    read.texts.push({ ...text, defines, source: read })
  }
  return read.texts.length > 0 ? read : { ...read, code: '' }
}

/** The calls of a program. `isKnown`: whether the emulated API has a path. */
export function callsOf(files: SourceFile[], roots: ReadonlySet<string>, isKnown: (path: string) => boolean) {
  const texts = files.flatMap((source) => source.texts)
  const definitions = Map.groupBy(texts, ({ defines }) => defines ?? '')
  /** Definitions that others continue. */
  const extended = new Set<Built>()

  /** In the same file the latest one before, else any; in another only what looks like an address and is the same in all. */
  function definitionOf(from: Built, name: string): Built | undefined {
    const all = definitions.get(name) ?? []
    const own = all.filter(({ source }) => source === from.source)
    if (own.length > 0) return own.findLast((one) => one.at < from.at) ?? own.find((one) => one !== from)
    return IS_ADDRESS.test(name) && new Set(all.map(({ text }) => text)).size === 1 ? all[0] : undefined
  }

  const resolve = (built: Built, depth = 0): string =>
    built.text.replace(/\x01(\w*)\x02/g, (hole, name, at: number) => {
      const definition = name === '' || depth > 5 ? undefined : definitionOf(built, name)
      if (!definition) return HOLE
      if (at === 0 && /^[^?]/.test(built.text.slice(hole.length))) extended.add(definition)
      return resolve(definition, depth + 1)
    })

  function isUsed({ source }: Built, name: string): boolean {
    const use = RegExp(
      String.raw`(?:(?<![\w\x01])|(?<=\x03\d+:\x01))${name}\b(?!\s*(?:[:+.]?=|:|\x02[^\x04?]|[ \w.<>]+=)[^=])`,
    )
    const places = IS_ADDRESS.test(name) ? files : [source]
    return places.some(({ code }) => use.test(code.replace(/^\s*(?:import|export \{|from)\b.*$/gm, '')))
  }

  const found = texts.flatMap((built) => {
    const text = resolve(built)
    const path = pathOf(text, roots)
    return path ? [{ built, text, path }] : []
  })
  const ofHost = new Set(found.filter(({ path }) => path.hasHost).map(({ built }) => built.source))
  // The address may be in the environment.
  const hasBase = ofHost.size > 0 || found.filter(({ path }) => isKnown(path.path)).length >= ENOUGH_KNOWN
  return found.flatMap(({ built, text, path: { path, ...how } }) => {
    const { source, at, line, defines } = built
    // The beginning of other texts.
    const isPrefix = defines !== undefined && (extended.has(built) || text.endsWith('/')) && !isUsed(built, defines)
    // `/messages${resource}`: what follows the only part may be more of the path.
    const isOpen = text.includes(path + HOLE) && path.lastIndexOf('/') === 0 && !isKnown(path)
    if (/^$|^\/\{\}$/.test(path) || isPrefix || isOpen) return []
    const context = contextOf(source.code, at, defines)
    if (context.isAnnotation && !ofHost.has(source)) context.isOwn = true
    const has = { isDefined: defines !== undefined, hasBase, isKnown: isKnown(path) }
    if (!isCall({ path, ...how }, context, has)) return []
    return [{ method: context.method, path, file: source.file, line, language: source.language }]
  })
}

/** Whether a path is one that the program calls, and not a route or a file of its own. */
function isCall(path: FoundPath, context: Context, has: { isDefined: boolean; hasBase: boolean; isKnown: boolean }) {
  const { isDefined, hasBase, isKnown } = has
  const { isSent, isClient, method, isOwn } = context
  if (path.hasHost || isOwn) return path.hasHost
  if (!path.isRelative) return isKnown || path.hasBase || (isSent && (isClient || hasBase)) || (hasBase && isDefined)
  const isWord = path.path.lastIndexOf('/') === 0 && !path.hasQuery
  if (isWord) return isSent && (isClient || (method !== undefined && method !== 'GET'))
  return isSent || (path.hasQuery && (isKnown || hasBase)) || (isKnown && path.path.includes('{}') && isDefined)
}
