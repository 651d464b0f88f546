import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../docs/markdown.ts'
import type { Report } from '../docs/report.ts'
import { at } from '../root.ts'
import { run, runShell } from '../run.ts'
import { openSharedWorld, type SharedWorld } from './shared_world.ts'

/** Ms that a command may take. */
const MAX_MS = 120_000
const GUIDE = 'docs/guides/parallel-tests.md'

interface Runner {
  name: string
  /** Below `examples`. */
  folder: string
  /** A shell command that succeeds where the runner can be used, and what it checks. */
  requires?: [command: string, what: string]
  /** As in the guide. */
  install: string
  tests: string[]
  /** How many tests the runner must report, of all processes. */
  passed: RegExp[]
}

const PREFIX_INSTALL = 'npm install --no-save --prefix .mercadito ./ci/mercadito.tgz'
const MERCADITO = '.mercadito/node_modules/.bin/mercadito'
const AUDIT = '--audit audit.xml --force --fail-on error'

const RUNNERS: Runner[] = [
  { name: 'Vitest', folder: 'vitest', install: 'npm install', tests: ['npm test'], passed: [/Tests +2 passed/] },
  { name: 'Jest', folder: 'jest', install: 'npm install', tests: ['npm test'], passed: [/Tests: +2 passed/] },
  { name: 'node:test', folder: 'node_test', install: 'npm install', tests: ['npm test'], passed: [/pass 2$/m] },
  {
    name: 'Playwright',
    folder: 'playwright',
    requires: ['command -v "$CHROMIUM"', 'Chromium'],
    install: 'npm install',
    tests: ['npm test'],
    passed: [/3 passed/],
  },
  {
    name: 'pytest-xdist',
    folder: 'python',
    requires: ['python3 -c "import pytest, xdist"', 'pytest and xdist'],
    install: PREFIX_INSTALL,
    tests: [
      `${MERCADITO} exec ${AUDIT} -- python3 -m pytest -n 2 with_pytest`,
      `python3 -m pytest -n 2 -o mercadito_command=${MERCADITO} -o mercadito_fail_on=error with_pytest`,
    ],
    passed: [/4 passed/],
  },
  {
    name: 'PHPUnit',
    folder: 'php',
    requires: ['command -v phpunit', 'PHPUnit'],
    install: PREFIX_INSTALL,
    tests: [`${MERCADITO} exec ${AUDIT} -- sh -c 'ls with_phpunit/*Test.php | xargs -P 2 -n 1 phpunit'`],
    passed: [/OK \(2 tests/, /OK \(1 test/],
  },
]

/**
 * Runs the examples of the guide in projects that have the package, and shows that their tests cannot share a world. `folder` has
 * the project of examples/node, whose program those of JavaScript test.
 */
export async function checkParallelRunners(
  report: Report,
  folder: string,
  tarball: string,
  plain: NodeJS.ProcessEnv,
): Promise<void> {
  const env = environment(folder, plain)
  const shared = await openSharedWorld()
  try {
    for (const runner of RUNNERS) await checkRunner(report, runner, { folder, tarball, env, shared })
  } finally {
    await shared.close()
  }
  await report.check(`${GUIDE} has the same commands`, checkGuide)
}

interface Place {
  folder: string
  tarball: string
  env: NodeJS.ProcessEnv
  shared: SharedWorld
}

async function checkRunner(report: Report, runner: Runner, { folder, tarball, env, shared }: Place): Promise<void> {
  const { name, requires, install, tests, passed } = runner
  const cwd = join(folder, runner.folder)
  cpSync(at(`examples/${runner.folder}`), cwd, { recursive: true })
  mkdirSync(join(cwd, 'ci'), { recursive: true })
  copyFileSync(tarball, join(cwd, 'ci/mercadito.tgz'))
  if (requires && spawnSync('sh', ['-c', requires[0]], { env }).status !== 0)
    return report.skip(`${name}: ${tests.join(' && ')}`, `needs ${requires[1]}`)
  const shell = (line: string) => runShell(line, { cwd, env, timeout: MAX_MS })

  // The project of a job of examples/ci has it installed.
  if (!existsSync(join(cwd, '.mercadito/node_modules')))
    await report.check(`${name}: ${install}`, () => void shell(install))
  for (const line of tests)
    await report.check(`${name}: ${line}`, () => {
      // Jest reports to standard error.
      const output = shell(`${line} 2>&1`)
      const missing = passed.filter((pattern) => !pattern.test(output))
      if (missing.length > 0) throw new Error(`no ${missing.join(', ')} in\n${output}`)
    })
  await report.check(`${name}: the tests fail in a world that they share`, async () => {
    await shared.reset()
    const line = withoutExec(tests[0]!, cwd)
    const code = await exitCodeOf(line, { cwd, env: { ...env, MERCADITO_URL: shared.url } })
    const answers = await shared.countAnswers()
    // The tests have run; how far each gets depends on the others.
    if (code === 0 || answers === 0) throw new Error(`exit code ${code} after ${answers} answers: ${line}`)
  })
}

/** The command that `mercadito exec` runs. */
function withoutExec(line: string, cwd: string): string {
  const script = line === 'npm test' ? JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).scripts.test : line
  return `PATH=node_modules/.bin:$PATH; ${script.replace(/^\S*mercadito exec .*?-- /, '')}`
}

/** Does not block, because this process answers the calls of the command. */
function exitCodeOf(line: string, place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<number | null> {
  const child = spawn('bash', ['-c', line], { ...place, stdio: 'ignore', timeout: MAX_MS })
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
}

/** With a `python3` that has pytest and xdist, if there is one, and the Chromium of the system. */
function environment(folder: string, plain: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const python = ['python3', '/usr/bin/python3'].find(
    (path) => spawnSync(path, ['-c', 'import pytest, xdist']).status === 0,
  )
  if (python?.startsWith('/')) symlinkSync(python, join(bin, 'python3'))
  const find = 'command -v chromium-headless-shell || command -v chromium || command -v google-chrome || true'
  return {
    ...plain,
    PATH: `${bin}:${plain.PATH}`,
    CHROMIUM: run('sh', ['-c', find]).trim(),
    // With CI some runners colour their output although it is no terminal.
    NO_COLOR: '1',
  }
}

function checkGuide(): void {
  const commands = blocksOf(readFileSync(at(GUIDE), 'utf8')).flatMap(({ marks, text }) =>
    marks['not run']?.includes('ci-examples') ? text.trim().split('\n') : [],
  )
  const known = RUNNERS.flatMap(({ install, tests }) => [install, ...tests])
  const unknown = commands.filter((line) => !known.includes(line))
  const missing = known.filter((line) => !commands.includes(line))
  if (unknown.length + missing.length > 0) throw new Error(`not run: ${unknown}; missing: ${missing}`)
}
