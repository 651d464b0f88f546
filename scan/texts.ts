import type { Language } from './languages.ts'

/** Around a literal: `\x03line:text\x04`; around a name in it, empty if it has none: `\x01name\x02`. */
const LITERAL = /\x03(\d+):([^\x04]*)\x04/g
/** In the place of a literal that is no part of a path. */
const OTHER = '\x05'
const CHAIN = String.raw`(?<!\w)[$@]*[A-Za-z_]\w*(?:(?:JOIN)[$@]?\w+)*!?`
const ARGUMENTS = String.raw`[^(){};]*(?:\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)[^(){};]*)*`
const OPERAND = String.raw`(?:\d+|${CHAIN}(?:\(${ARGUMENTS}\)(?:(?:JOIN)\w+(?:\(${ARGUMENTS}\))?)*|\[[^[\]\n]*\])?)`
const FORMAT = RegExp(
  String.raw`\b(?:\w+(?:\.|::))*\w*(?:[sS]printf|[fF]ormat)\(\s*\x03([^\x04]*)\x04\s*,(${ARGUMENTS})\)`,
  'g',
)
const FORMATTED = RegExp(String.raw`\x03([^\x04]*)\x04\s*(?:\.format(?:ted)?|%)\s*\((${ARGUMENTS})\)`, 'g')
const MAX_ROUNDS = 12

export interface Text {
  line: number
  text: string
  /** Where its literal is in the code. */
  at: number
}

/**
 * A source without comments, in which each text that it builds is one literal: texts that are joined or formatted
 * are one, with the names of the variables in it.
 */
export function joinTexts(source: string, language: Language): string {
  const join = language.name === 'php' ? '->|::' : String.raw`\.|->|::|\?\.`
  const operand = OPERAND.replaceAll('JOIN', join)
  const { concat = String.raw`\+`, adjacent } = language
  const between = String.raw`\s*${concat}\s*${adjacent === undefined ? '' : `|${adjacent}`}`
  const named = (name: string) => `\x01${nameOf(name)}\x02`
  const before = RegExp(String.raw`(${operand})\s*${concat}\s*\x03(\d+:)`, 'g')
  const steps: [RegExp, (...match: string[]) => string][] = [
    [RegExp(String.raw`\x04(?:${between})\x03\d+:`, 'g'), () => ''],
    [RegExp(String.raw`\x04\s*${concat}\s*(${operand})`, 'g'), (_, name) => `${named(name!)}\x04`],
    [before, (_, name, line) => `\x03${line}${named(name!)}`],
    ...[FORMAT, FORMATTED].map((one): (typeof steps)[0] => [
      one,
      (_, text, values) => `\x03${fill(text!, values!)}\x04`,
    ]),
  ]
  let code = markLiterals(source, language)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const last = code
    for (const [pattern, replace] of steps) code = code.replace(pattern, replace)
    if (code === last) break
  }
  return code
}

export const textsOf = (code: string): Text[] =>
  [...code.matchAll(LITERAL)].map(({ index: at, 1: line, 2: text }) => ({ line: Number(line), text: text!, at }))

function markLiterals(source: string, { comments, literals }: Language): string {
  const pattern = RegExp(`${comments}|${literals.map(([literal]) => `(${literal})`).join('|')}`, 'g')
  let line = 1
  let counted = 0
  return source.replaceAll(/[\x01-\x05]/g, ' ').replace(pattern, (all, ...groups) => {
    const offset = groups[literals.length] as number
    for (; counted < offset; counted++) if (source.charCodeAt(counted) === 10) line++
    const kind = groups.slice(0, literals.length).findIndex((one) => one !== undefined)
    return kind === -1 ? all.replace(/[^\n]+/g, ' ') : `\x03${line}:${bodyOf(all, literals[kind]![1])}\x04`
  })
}

/** What a literal has before `?`, with its variables as names. */
function bodyOf(literal: string, variable: RegExp | undefined): string {
  const [open, quote] = /^[^"'`]*("""|'''|["'`])/.exec(literal) as unknown as [string, string]
  let text = literal.slice(open.length, -quote.length)
  if (variable) {
    if (variable.source.startsWith('\\{(')) text = text.replace(/\{\{|\}\}/g, '')
    text = text.replace(variable, (_, ...groups) => `\x01${nameOf(groups.find((one) => one !== undefined) ?? '')}\x02`)
  }
  const [path, query] = text.replaceAll('\\/', '/').split('?', 2) as [string, string?]
  if (/[\s<>|*"'`()=,;\\]/.test(path)) return OTHER
  return query === undefined ? path : `${path}?`
}

/** The last name of `this.config.base`; empty for a call, or anything else. */
const nameOf = (operand: string): string =>
  /^(?:[\w$@]+(?:\.|->|::|\?\.))*[$@]*([A-Za-z_]\w*)!?$/.exec(operand.trim())?.[1] ?? ''

/** Puts the arguments of a call in the place of `%s`, `{}` and `{0}`. */
function fill(text: string, values: string): string {
  const list = values
    .split(/,(?![^(]*\))/)
    .map((value) => /^\s*\x03\d+:([^\x04]*)\x04\s*$/.exec(value)?.[1] ?? `\x01${nameOf(value)}\x02`)
  let next = 0
  const valueFor = (_: string, index: string) => list[index ? Number(index) : next++] ?? '\x01\x02'
  return text.replace(/%[-+\d.$]*[sdvqi]|\{(\d*)(?::\w+)?\}/g, valueFor)
}
