import { compareValues, type Difference } from '../../http/stubs/expected_values.ts'
import type { StubRule } from '../../http/stubs/stubs.ts'
import type { CountedStub } from './operations.ts'

/** Numbers of the stubs that can never answer, each with that of one before it that answers all its calls. */
export function shadowedStubs(stubs: readonly CountedStub[]): Map<number, number> {
  const shadowed = new Map<number, number>()
  /** Those without a limit. */
  const before: CountedStub[] = []
  for (const stub of stubs) {
    const found = before.find((one) => answersAll(one, stub))
    if (found) shadowed.set(stub.id, found.id)
    else if (stub.times === null && !stub.proposed) before.push(stub)
  }
  return shadowed
}

/** Whether a stub matches each call that another one matches. */
const answersAll = (first: StubRule, other: StubRule): boolean =>
  (first.override || !other.override) &&
  (first.method === other.method || (first.method === null && other.method !== 'OPTIONS')) &&
  matchesAll(first.path, other.path) &&
  hasAll(first.query ?? {}, other.query ?? {}) &&
  (first.body === undefined || isWithin(first.body, other.body))

function matchesAll(first: string, other: string): boolean {
  const [parts, others] = [first, other].map((path) => path.replace(/(?<=.)\/$/, '').split('/')) as [string[], string[]]
  const isOpen = parts.at(-1) === '*'
  if (isOpen ? others.length < parts.length : others.length !== parts.length) return false
  if (others.at(-1) === '*' && !isOpen) return false
  return parts.every((part, n) => (isOpen && n === parts.length - 1) || part.startsWith('{') || part === others[n])
}

const hasAll = (first: Record<string, unknown>, other: Record<string, unknown>): boolean =>
  Object.entries(first).every(
    ([name, value]) => Object.hasOwn(other, name) && (value === '*' || isWithin(value, other[name])),
  )

function isWithin(expected: unknown, actual: unknown): boolean {
  const found: Difference[] = []
  compareValues('', expected, actual, found)
  return found.length === 0
}
