/** What a text is used for. */
export interface Context {
  method: string | undefined
  /** A call such as `get(…)` begins with it. */
  isSent: boolean
  /** That call is of an HTTP client, by its name. */
  isClient: boolean
  /** A route, a file, or a link of the program itself. */
  isOwn: boolean
  /** `@Get('/…')`: a route, or of an interface that is a client. */
  isAnnotation: boolean
}

const VERB = /^_*(?:http|do|api|make|send|fetch)?_?(get|post|put|patch|delete)/i
const METHOD =
  /\x03\d+:(GET|POST|PUT|PATCH|DELETE)\x04|\b(?:Http|http)?(?:Method)(?:\.|::)?(Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE)\b|:(get|post|put|patch|delete|GET|POST|PUT|PATCH|DELETE)\b/i
const READS = /^(?:fetch|get_response|useSWR|useFetch)$/
const REQUESTS = /request|urlopen|file_get_contents/i
const CLIENT = /http|client|api|axios|got|request|session|meli|mercado|\bml|fetch|curl|rest|faraday|conn/i
const ROUTER = /^@?(?:app|router|server|routes?|r|mux|e|engine|group|blueprint|bp|fastify|Route|Router)\b./
const OWN =
  /^(?:path|re_path|route|open|use|describe|it|test|view|resources?|Link|(?:require|include)(?:_once|_relative)?|import)$|(?:^|\W)(?:redirect|redirect_to|render|navigate|push|HandleFunc|Handle|Route|join|readFile|readFileSync)$/
const CALLEE = /((?:[.>:]\s*)?[@$\w]+(?:(?:\.|->|::|\?\.|!\.|\)\s*\.)\s*[$\w]+)*)\s*(?:<[^()=;{}]{0,200}>)?\s*$/
const PAGE = /^(?:to|href|src|action|className|alt|from|import)$/
const MAX_CALL = 1500

/** The calls around a place in a code; `defines`: the variable that the text there becomes. */
export function contextOf(code: string, at: number, defines: string | undefined): Context {
  const isOwn = defines !== undefined && PAGE.test(defines)
  const context: Context = { method: undefined, isSent: false, isClient: false, isOwn, isAnnotation: false }
  for (let depth = 0, place = at; depth < 4; depth++) {
    const open = bracketFrom(code, place - 1, -1)
    const before = code.slice(Math.max(0, open - 250), Math.max(0, open))
    // A block of statements belongs to no call.
    if (open === -1 || (code[open] === '{' && !/[(,:[=>]\s*$|return\s*$/.test(before.replace(/=>\s*$/, '')))) break
    if (code[open] === '(' && readCall(code, { open, place, before }, context)) break
    place = open
  }
  if (defines !== undefined) context.method ??= methodOfUse(code, at, defines)
  return context
}

/** True if the call says the method. */
function readCall(
  code: string,
  { open, place, before }: { open: number; place: number; before: string },
  context: Context,
): boolean {
  const [, callee] = CALLEE.exec(before) ?? []
  if (callee === undefined || /^(?:if|while|for|switch|return|and|or|not|catch)$/.test(callee)) return false
  const name = callee.replace(/^.*[^\w$@]/s, '')
  const [all = '', given] = VERB.exec(name.replace(/^@/, '')) ?? []
  // `getWithToken` is a GET, `getter` is none.
  const verb = /^@?[a-z]/.test(name.slice(all.length)) ? undefined : given
  const isRequest = REQUESTS.test(name)
  // `request('GET', path)`
  const isFirst = code.slice(open + 1, place).split(',').length <= (isRequest ? 2 : 1)
  context.isAnnotation ||= name.startsWith('@') || new RegExp(String.raw`\[\s*${name}\s*$`).test(before)
  context.isClient ||= CLIENT.test(callee)
  context.isOwn ||= OWN.test(callee) || (verb !== undefined && ROUTER.test(callee))
  context.isSent ||= isFirst && (verb !== undefined || READS.test(name) || isRequest)
  const groups = METHOD.exec(code.slice(open, bracketFrom(code, open + 1, 1))) ?? []
  const method = verb ?? groups.slice(1).find((one) => one !== undefined) ?? (READS.test(name) ? 'GET' : undefined)
  context.method = method?.toUpperCase()
  return method !== undefined
}

/** The bracket around a place, before it (-1: none) or behind it. */
function bracketFrom(code: string, from: number, step: 1 | -1): number {
  const [opening, closing] = step === 1 ? ['([{', ')]}'] : [')]}', '([{']
  for (let n = from, depth = 0; n >= 0 && n < code.length && Math.abs(n - from) < MAX_CALL; n += step) {
    if (opening!.includes(code[n]!)) depth++
    else if (closing!.includes(code[n]!) && --depth < 0) return n
  }
  return step === 1 ? from + MAX_CALL : -1
}

/** The method of a call that the variable is given to, before it becomes something else. */
function methodOfUse(code: string, from: number, name: string): string | undefined {
  const rest = code.slice(from, /^[A-Z]|_URL$|PATH/.test(name) ? undefined : from + 3000)
  const uses = rest.matchAll(RegExp(String.raw`(?<![\w\x01])${name.replaceAll('$', '\\$')}\b\s*(:?=(?![=>]))?`, 'g'))
  for (const { index, 1: becomes } of [...uses].slice(0, 20)) {
    if (becomes) return undefined
    const { method, isAnnotation } = contextOf(code, from + index, undefined)
    if (method !== undefined && !isAnnotation) return method
  }
  return undefined
}
