import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import type { WeightedPart } from './run_parts.ts'

export interface GatePart extends WeightedPart {
  /** A job of the merge workflow, which runs its parts on a machine of its own. */
  job: string
  /** The Debian package without which the part cannot run, if it is missing. */
  missing?: () => string | undefined
}

export const npm = (script: string, ...args: string[]) => [
  'npm',
  'run',
  '--silent',
  script,
  ...(args.length ? ['--', ...args] : []),
]

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const missing = (name: string, isThere: boolean) => (isThere ? undefined : name)
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome']
const browser = () => missing(BROWSERS[0]!, BROWSERS.some(has))
const postgres = () => missing('postgresql', globSync('/usr/lib/postgresql/*/bin/postgres').length > 0)

/**
 * Everything that must pass before a merge. Parts that wait much, for installs, sleeps or other programs, keep less than a
 * core busy and run beside others; the longest ones come first, and one that needs two cores before all others.
 */
export const GATE: readonly GatePart[] = [
  { name: 'test', job: 'tests', command: ['npm', 'test'], limit: 900, cores: 2, hasCount: true },
  {
    // Leases of two seconds need a machine that is not busy with other things.
    ...{ name: 'cluster', job: 'cluster', command: npm('test:cluster'), limit: 900 },
    ...{ cores: 1.5, hasCount: true, missing: postgres },
  },
  { name: 'long', job: 'long', command: npm('test:long'), limit: 600, cores: 2, hasCount: true },
  { name: 'browser', job: 'browser', command: npm('browser'), limit: 1500, cores: 1, hasCount: true, missing: browser },
  {
    ...{ name: 'journeys', job: 'tests', command: npm('test:journeys', '--jobs=2'), limit: 600 },
    ...{ cores: 1, hasCount: true },
  },
  {
    ...{ name: 'two-servers', job: 'cluster', command: npm('test:two-servers'), limit: 900 },
    ...{ cores: 0.75, hasCount: true, missing: postgres },
  },
  { name: 'check', job: 'tests', command: npm('check'), limit: 240, cores: 1 },
  { name: 'docs', job: 'docs', command: npm('docs'), limit: 600, cores: 1, hasCount: true },
  { name: 'ci-examples', job: 'docs', command: npm('ci-examples'), limit: 600, cores: 0.5, hasCount: true },
  { name: 'examples', job: 'long', command: npm('examples'), limit: 600, cores: 1, hasCount: true },
  { name: 'intercept', job: 'long', command: npm('intercept'), limit: 600, cores: 1, hasCount: true },
  { name: 'package', job: 'docs', command: npm('package', '--check'), limit: 300, cores: 1 },
  { name: 'executable', job: 'docs', command: npm('executable', '--check'), limit: 400, cores: 1 },
  {
    ...{ name: 'faults', job: 'cluster', command: npm('faults'), limit: 600, cores: 0.75, hasCount: true },
    missing: () => missing('gcc', has('cc')),
  },
  { name: 'blocking', job: 'long', command: npm('blocking'), limit: 240, cores: 1 },
  { name: 'overload', job: 'cluster', command: npm('overload'), limit: 240, cores: 1 },
  { name: 'overload-intercept', job: 'cluster', command: npm('overload', '--intercept'), limit: 240, cores: 1 },
]
