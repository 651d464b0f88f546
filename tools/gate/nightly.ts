import { GATE, type GatePart, npm } from './parts.ts'

const fromGate = (name: string) => GATE.find((part) => part.name === name)!
const HOUR = 3600

/** What takes too long before each merge: repetitions, other seeds, a slow machine, another date. */
export const NIGHTLY: readonly GatePart[] = [
  ...[1, 2, 7].map((seed) => ({
    ...fromGate('test'),
    ...{ name: `properties-${seed}`, job: 'properties', limit: HOUR, env: { SEED: String(seed), TIMES: '10' } },
    command: ['npm', 'test', '--', 'test/properties', '--timeout=3000'],
  })),
  {
    ...{ name: 'torture', job: 'programs', command: ['node', 'tools/test.ts', 'test/journeys/torture.nightly.ts'] },
    ...{ limit: 900, cores: 1, hasCount: true },
  },
  {
    ...{ name: 'crashes', job: 'programs', command: ['node', 'tools/test.ts', 'test/journeys/crash*.long.ts'] },
    ...{ limit: HOUR, cores: 2, hasCount: true, env: { SIZE: '20' } },
  },
  {
    ...{ name: 'long-properties', job: 'programs', limit: HOUR, cores: 2, hasCount: true },
    ...{ env: { SIZE: '500', TIMES: '5' } },
    command: ['node', 'tools/test.ts', 'test/properties/*.long.ts'],
  },
  {
    ...{ name: 'orders', job: 'programs', limit: 900, cores: 1, hasCount: true, env: { TIMES: '1' } },
    command: ['node', 'tools/test.ts', 'test/control/explain.order.test.ts', 'test/plugins/order.test.ts'],
  },
  { ...fromGate('cluster'), job: 'cluster', name: 'cluster-3-rounds', limit: HOUR, env: { SIZE: '3' } },
  { ...fromGate('two-servers'), name: 'two-servers-all', env: { SIZE: '2' } },
  { ...fromGate('faults'), name: 'faults-all', limit: 1200, env: { SIZE: '2' } },
  { ...fromGate('overload-intercept'), name: 'overload-intercept-all', env: { SIZE: '3' } },
  { ...fromGate('browser'), job: 'programs', name: 'browser-slow', command: npm('browser', '--slow'), limit: HOUR },
  { name: 'mcp', job: 'programs', command: npm('mcp'), limit: 300, cores: 0.5, hasCount: true },
  { ...fromGate('ci-examples'), job: 'programs', name: 'ci-examples-all', command: npm('ci-examples', '--all') },
  {
    ...fromGate('intercept'),
    job: 'programs',
    name: 'intercept-all-nodes',
    command: npm('intercept', '--all-versions'),
    limit: 900,
  },
  { name: 'release', job: 'programs', command: npm('release', '--check'), limit: 1200, cores: 1 },
  {
    ...fromGate('test'),
    ...{ name: 'slow-machine', job: 'slow-machine', cores: 2, limit: HOUR },
    command: ['node', 'tools/nightly/slow_machine.ts', 'npm', 'test', '--', 'test', '--timeout=1200'],
  },
  {
    ...fromGate('test'),
    ...{ name: 'other-date', job: 'other-date', cores: 2, limit: 1800 },
    command: ['node', 'tools/nightly/other_date.ts', '--', 'npm', 'test', '--', 'test', '--timeout=600'],
  },
]
