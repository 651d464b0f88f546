import { deepEqual } from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { checkParallelRunners } from './ci_examples/parallel.ts'
import { checkRequests } from './ci_examples/requests.ts'
import { checkTestcontainers } from './ci_examples/testcontainers.ts'
import { blocksOf } from './docs/markdown.ts'
import { createReport } from './docs/report.ts'
import { freePort } from './free_port.ts'
import { buildPackage } from './package/build.ts'
import { at } from './root.ts'
import { plainEnvironment, run, runShell } from './run.ts'

// `npm run ci-examples` runs the commands of examples/ci in a shell, in projects that have nothing but what docs/install.md
// says to add to a project; then the test runners of docs/guides/parallel-tests.md, and Testcontainers. With `-- --all` it also
// sends the requests of examples/http and examples/postman with the clients that they are written for;
// test/journeys/http_requests.test.ts sends them without these clients. What prepares the machine (actions, images,
// before_script) is not run.

/** Ms that a command may take. */
const MAX_MS = 120_000

interface Service {
  command: string[]
  healthcheck?: { test: string[]; retries: number }
  environment?: Record<string, string>
}

/** A command of the page that this script does itself. */
const PREPARATIONS = ['npm install --save-dev ./ci/mercadito.tgz']
/** Such as `node: npm ci`. A line that several jobs have is run once for each language, `npm install` only once. */
const commandsRun = new Set<string>()

const read = (name: string) => parse(readFileSync(at(`examples/ci/${name}`), 'utf8'))

const report = createReport((text) => process.stdout.write(text))
const folder = mkdtempSync(join(tmpdir(), 'mercadito-ci-'))
const env = {
  ...plainEnvironment(),
  PYTHONDONTWRITEBYTECODE: '1',
  npm_config_prefer_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}

try {
  const { path } = await buildPackage()
  for (const job of ['node', 'python', 'php']) makeProject(job, path)

  const github = read('github.yml')
  for (const [job, { steps }] of jobsOf<{ steps: { run?: string }[] }>(github.jobs))
    await runJob(
      `github.yml, ${job}`,
      job,
      steps.flatMap(({ run }) => run ?? []),
    )
  const { default: _, ...jobs } = read('gitlab.yml')
  for (const [job, { script }] of jobsOf<{ script: string[] }>(jobs)) await runJob(`gitlab.yml, ${job}`, job, script)
  await runCompose(read('compose.yaml').services)
  await checkParallelRunners(report, folder, path, env)
  if (process.argv.includes('--all')) await checkRequests(report, folder, env)
  await checkTestcontainers(report, folder, path, env)
  await report.check('docs/install.md and docs/guides/ci.md have the same commands and jobs', () => {
    const { node, python } = github.jobs
    checkPages({ jobs: { node } }, { python: jobs.python }, { jobs: { python } })
  })
} finally {
  rmSync(folder, { recursive: true })
}
if (!report.close()) process.exitCode = 1

function jobsOf<Job>(jobs: Record<string, Job>): [name: string, job: Job][] {
  return Object.entries(jobs)
}

/** A project with the files of an example, and the package in `ci/`. */
function makeProject(language: string, tarball: string): void {
  const cwd = join(folder, language)
  cpSync(at(`examples/${language}`), cwd, { recursive: true })
  mkdirSync(join(cwd, 'ci'))
  copyFileSync(tarball, join(cwd, 'ci/mercadito.tgz'))
  mkdirSync(join(folder, 'prefix'), { recursive: true })
  symlinkSync('../prefix', join(cwd, '.mercadito'))
  if (language !== 'node') return
  writeFileSync(join(cwd, 'package.json'), '{"private":true,"type":"module","scripts":{"test":"node --test"}}')
  run('npm', ['install', '--save-dev', './ci/mercadito.tgz'], { cwd, env })
}

/** Compares the pages with what was run. `shown`: the jobs that they quote, in their order. */
function checkPages(...shown: object[]): void {
  const blocks = ['docs/install.md', 'docs/guides/ci.md'].flatMap((page) => blocksOf(readFileSync(at(page), 'utf8')))
  const commands = blocks.flatMap(({ marks, text }) =>
    marks['not run']?.includes('ci-examples') ? text.trim().split('\n') : [],
  )
  const known = new Set([...PREPARATIONS, ...[...commandsRun].map((command) => command.replace(/^\w+: /, ''))])
  const unknown = commands.filter((line) => !known.has(line))
  if (commands.length === 0 || unknown.length > 0) throw new Error(`not run: ${unknown.join('\n')}`)
  const quoted = blocks.filter(({ lang, marks }) => lang === 'yaml' && marks['not run']?.includes('is tried'))
  deepEqual(
    quoted.map(({ text }) => parse(text)),
    shown,
  )
}

async function runJob(title: string, language: string, lines: string[]): Promise<void> {
  const program = { node: 'node', python: 'python3', php: 'php' }[language]!
  const cwd = join(folder, language)
  const isMissing = spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0
  const keyOf = (line: string) => (line.startsWith('npm install ') ? line : `${language}: ${line}`)
  const added = lines.filter((line) => !commandsRun.has(keyOf(line)))
  if (!isMissing) for (const line of added) commandsRun.add(keyOf(line))
  for (const line of added)
    if (isMissing) report.skip(`${title}: ${line}`, `needs ${program}`)
    else await report.check(`${title}: ${line}`, () => void runShell(line, { cwd, env, timeout: MAX_MS }))
}

/** Starts the server, waits until its health check passes, and runs the tests beside it. */
async function runCompose({ mercadito, tests }: Record<'mercadito' | 'tests', Service>): Promise<void> {
  // Without a network of their own, where they use the default port.
  const port = await freePort()
  const own = { MERCADITO_PORT: `${port}`, MERCADITO_URL: `http://127.0.0.1:${port}` }
  deepEqual(tests.environment, { MERCADITO_URL: 'http://127.0.0.1:4400' })
  const start = ([program, ...args]: string[]) =>
    spawn(program!, args, {
      cwd: join(folder, 'python'),
      env: { ...env, ...own },
      stdio: ['ignore', 'ignore', 'inherit'],
      // In a process group of its own, so that its children can be stopped, too.
      detached: true,
    })
  const server = start(mercadito.command)
  const stopped = exitCodeOf(server)
  try {
    await report.check('compose.yaml: the server becomes healthy', async () => {
      const { test, retries } = mercadito.healthcheck!
      for (let n = 0; n < retries && server.exitCode === null; n++) {
        // The first element is CMD.
        if ((await exitCodeOf(start(test.slice(1)))) === 0) return
        await setTimeout(1000)
      }
      throw new Error('it does not')
    })
    await report.check(`compose.yaml: ${tests.command.join(' ')}`, async () => {
      const code = await exitCodeOf(start(tests.command))
      if (code !== 0) throw new Error(`exit code ${code}`)
    })
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!)
    await stopped
  }
}

/** A program that does not exist has the exit code of a shell. */
function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('error', () => resolve(127)).on('exit', resolve))
}
