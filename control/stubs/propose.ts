import { activeStubs, refreshStubs, type World } from '../../db/world.ts'
import { decoded, type Paths } from '../../http/paths.ts'
import { matchStub, parseRule, type StubCall, type StubRule, stubsOf } from '../../http/stubs/stubs.ts'
import { addStub, type CountedStub, stubById, stubTotals } from './operations.ts'
import { MAX_PATH_CHARACTERS, MAX_STUBS } from './schemas.ts'

/** Proposals of a world: programs may call any number of paths. */
const MAX_PROPOSALS = 200

/** Called for each call that only a proposed stub could answer. */
export type OnMiss = (world: number, stub: CountedStub) => void

/**
 * Finds the proposed stub for a call that nothing answers, or makes it [spec: http.stubs.proposed]. Undefined if the API
 * has its path.
 */
export async function proposeStub(
  paths: Paths,
  onMiss: OnMiss,
  world: World,
  call: StubCall,
): Promise<StubRule | undefined> {
  // Copies on which calls are tried have numbers below 0.
  if (paths.match(call.path) || world.id < 0) return undefined
  const rule = proposalFor(stubsOf(world), call) ?? (await propose(world, call))
  const stub = rule && (await stubById(world.read, rule.id))
  if (stub) onMiss(world.id, stub)
  return rule
}

/** A parameter stands for ids only: what is proposed does not depend on the order of the calls. */
const proposalFor = (rules: readonly StubRule[], call: StubCall): StubRule | undefined =>
  rules.find((rule) => {
    const values = rule.proposed ? matchStub(rule, call) : undefined
    return values && !Object.values(values).some(isWord)
  })

async function propose(world: World, call: StubCall): Promise<StubRule | undefined> {
  const stub = stubFor(call)
  if (!stub || isFull(stubsOf(world))) return undefined
  const made = await world.tx(async (q) => {
    // Another call may have made it meanwhile.
    const rules = (await activeStubs(q).all()).map(parseRule)
    const found = proposalFor(rules, call)
    if (found || isFull(rules) || (await stubTotals(q)).count >= MAX_STUBS) return found
    return addStub(q, stub)
  })
  if (made) await refreshStubs(world)
  return made
}

const isFull = (rules: readonly StubRule[]): boolean => rules.filter((rule) => rule.proposed).length >= MAX_PROPOSALS

const PROPOSED_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The stub for calls like this one, without anything of its query, body and ids; undefined if no stub has its path. */
function stubFor({ method: sent, path: address }: StubCall): Omit<CountedStub, 'id' | 'hits'> | undefined {
  const method = sent === 'HEAD' ? 'GET' : sent
  const path = patternOf(address)
  // Paths of the marketplace begin with a word; /w is that of worlds.
  if (!PROPOSED_METHODS.has(method) || !/^\/(?!w(?:\/|$))[a-z]/.test(path) || path.length > MAX_PATH_CHARACTERS) return
  const isSearch = /[/_-]search$/.test(path)
  const body = isSearch ? { paging: { total: 0, offset: 0, limit: 50 }, results: [] } : {}
  const answer = { status: method === 'POST' && !isSearch ? 201 : 200, body }
  // A fixed part wins over a parameter.
  const order = path.split('{').length - 1
  return { method, path, answer, times: null, order, override: false, access: 'public', proposed: true }
}

/** What a program may write for no value is no word, nor is what could be a secret. */
const isWord = (part: string): boolean =>
  /^(?=.{0,40}$)(?!(?:null|undefined|none|nil)$)(?:[a-z]+(?:[_-][a-z]+)*|v\d{1,2})?$/.test(part)

/** `/orders/5/notes` → `/orders/{order_id}/notes`: all parts but words in lower case and versions are parameters. */
function patternOf(path: string): string {
  const names = new Set<string>()
  const parts = path.replace(/(?<=.)\/$/, '').split('/')
  return parts
    .map(decoded)
    .map((part, n) => {
      if (isWord(part)) return part
      const before = parts[n - 1]!
      const word = isWord(before) && before !== '' ? `${singular(before.replaceAll('-', '_'))}_id` : 'id'
      let name = word
      for (let count = 2; names.has(name); count++) name = `${word}_${count}`
      names.add(name)
      return `{${name}}`
    })
    .join('/')
}

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '')
