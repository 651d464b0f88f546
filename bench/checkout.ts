import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { at, root } from '../tools/root.ts'
import { plainEnvironment, run } from '../tools/run.ts'
import { folder, progress } from './processes.ts'

const runIn = (cwd: string, program: string, ...args: string[]) => run(program, args, { cwd, env: plainEnvironment() })
const git = (...args: string[]) => runIn(root, 'git', ...args)

export interface Checkout {
  /** Such as "1a2b3c4d Reject a limit above 100". */
  title: string
  path: string
}

/** Builds an earlier revision in a temporary folder. Throws an Error if there is none of this name. */
export function buildRevision(revision: string): Checkout {
  const title = git('log', '-1', '--format=%h %s', `${revision}^{commit}`).trim()
  const path = join(folder, 'before')
  mkdirSync(path)
  progress(`building ${title}`)
  git('archive', '--format=tar', '--output', `${path}.tar`, revision)
  runIn(path, 'tar', '-xf', `${path}.tar`)
  addPackages(path)
  build(path)
  return { title, path }
}

/** Builds the files that are here, committed or not. */
export function buildThis(): Checkout {
  progress('building this tree')
  build(root)
  return { title: 'this tree', path: root }
}

/** Shares our packages if the revision had the same, else installs its own. */
function addPackages(path: string): void {
  const lock = (checkout: string) => readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  if (lock(path) === lock(root) && existsSync(at('node_modules'))) {
    symlinkSync(at('node_modules'), join(path, 'node_modules'))
    return
  }
  progress('installing its packages')
  runIn(path, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
}

// With the same Node for all.
const build = (path: string) => runIn(path, process.execPath, 'tools/build.ts')
