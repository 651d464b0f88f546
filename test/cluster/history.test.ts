import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import fc, { runs } from '../support/property.ts'
import { findViolation, History, type Operation } from './history.ts'

const UNKNOWN = Number.POSITIVE_INFINITY

const operation = (kind: Operation['kind'], value: string, start: number, end: number): Operation => ({
  register: 'r',
  client: 'c',
  kind,
  value,
  start,
  end,
})
const write = (value: string, start: number, end: number) => operation('write', value, start, end)
const read = (value: string, start: number, end: number) => operation('read', value, start, end)

const HISTORIES: Record<string, { history: Operation[]; violation?: number }> = {
  'no operations': { history: [] },
  'a read of the initial value': { history: [read('', 0, 1)] },
  'reads during a write, of both values': { history: [write('a', 0, 9), read('', 1, 2), read('a', 3, 4)] },
  'writes at the same time, in the order that the reads show': {
    history: [write('a', 0, 9), write('b', 1, 8), read('b', 2, 3), read('a', 10, 11)],
  },
  'an unknown write that has no effect': { history: [write('a', 0, UNKNOWN), read('', 5, 6)] },
  'an unknown write that has its effect late': {
    history: [write('a', 0, UNKNOWN), write('b', 1, 2), read('b', 3, 4), read('a', 5, 6)],
  },
  'a stale read': { history: [write('a', 0, 1), read('', 2, 3)], violation: 1 },
  'a lost write': { history: [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], violation: 2 },
  'a value from nowhere': { history: [write('a', 0, 1), read('x', 0, 1)], violation: 1 },
  'a value of the future': { history: [read('a', 0, 1), write('a', 2, 3)], violation: 0 },
  'a read that goes back during a write': {
    history: [write('a', 0, 9), read('a', 1, 2), read('', 3, 4)],
    violation: 2,
  },
  'an unknown write that comes and goes': {
    history: [write('a', 0, UNKNOWN), read('a', 1, 2), read('', 3, 4)],
    violation: 2,
  },
  'writes at the same time, of which the readers see different orders': {
    history: [write('a', 0, 9), write('b', 0, 9), read('a', 10, 11), read('b', 12, 13)],
    violation: 3,
  },
}

for (const [name, { history, violation }] of Object.entries(HISTORIES))
  t.test(`${violation === undefined ? 'accepts' : 'rejects'} ${name}`, async (t) => {
    t.equal(findViolation(history, ''), violation === undefined ? undefined : history[violation])
  })

/** Tries every order, with every choice of unknown writes. */
function isLinearizable(left: Operation[], value: string): boolean {
  if (left.every(({ end }) => end === UNKNOWN)) return true
  return left.some((next) => {
    if (left.some(({ end }) => end < next.start) || (next.kind === 'read' && next.value !== value)) return false
    return isLinearizable(
      left.filter((each) => each !== next),
      next.value,
    )
  })
}

t.test('decides as a search of all orders does', async (t) => {
  const verdicts = new Set<boolean>()
  const step = fc.record({
    kind: fc.constantFrom('read' as const, 'write' as const),
    value: fc.constantFrom('', 'a', 'b', 'c'),
    start: fc.nat(12),
    length: fc.oneof(fc.nat(6), fc.constant(UNKNOWN)),
  })
  const histories = fc.array(step, { maxLength: 7 }).map((steps) =>
    steps
      // The outcome of a read is known, or it is not in the history.
      .filter(({ kind, length }) => kind === 'write' || length !== UNKNOWN)
      .map(({ kind, value, start, length }) => operation(kind, value, start, start + length)),
  )
  fc.assert(
    fc.property(histories, (history) => {
      const expected = isLinearizable(history, '')
      verdicts.add(expected)
      return (findViolation(history, '') === undefined) === expected
    }),
    { numRuns: runs(3000) },
  )
  t.equal(verdicts.size, 2, 'of both kinds')
})

t.test('records what may have had an effect, per register', async (t) => {
  const history = new History()
  const request = { client: 'c', register: 'r' }
  await history.record({ ...request, kind: 'write', value: 'a' }, async () => 'failed')
  await history.record({ ...request, kind: 'write', value: 'b' }, async () => 'unknown')
  await history.record({ ...request, kind: 'read' }, async () => 'unknown')
  await history.record({ ...request, kind: 'read' }, async () => ({ ok: 'b' }))
  await history.record({ ...request, register: 's', kind: 'read' }, async () => ({ ok: '' }))
  t.strictSame(
    history.violations(() => ''),
    [],
  )
  await history.record({ ...request, kind: 'read' }, async () => ({ ok: 'a' }))
  t.match(
    history.violations(() => ''),
    [{ register: 'r', kind: 'read', value: 'a' }],
  )
  await setTimeout(30)
  await history.record({ ...request, kind: 'read' }, async () => ({ ok: 'b' }))
  t.ok(history.longestPause((register) => register) >= 29)
})
