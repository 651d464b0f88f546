import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import '../support/environment.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of the repository for npm, in which building does nothing: other tests use `dist/`. */
function linkRepository(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-npm-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tools'))
  writeFileSync(join(folder, 'tools/build.ts'), '')
  for (const path of ['package.json', 'bin', 'dist', 'node_modules', 'tools/check_node.cjs'])
    symlinkSync(join(root, path), join(folder, path))
  return folder
}

/** Makes a Node believe that it is another one: an old Node is not on every machine. */
const PRETEND = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`
/** Prints the file of each module that is loaded. */
const PRINT_FILES = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { if (url.startsWith('file:')) console.log(url); return next(url, context) } })",
)}`

/** Starts a server with a command, ends the command's own process, and returns whether the server stops answering. */
async function endsWhenKilled(t: Test, cwd: string, command: string, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, MERCADITO_PORT: '0', MERCADITO_READY_JSON: 'true' }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (/^\{.*\}\n/m.test(output)) break
  }
  const { url } = JSON.parse(/^\{.*\}$/m.exec(output)![0]) as { url: string }
  const isAnswering = () =>
    fetch(`${url}/currencies`).then(
      () => true,
      () => false,
    )
  t.ok(await isAnswering())
  child.kill('SIGTERM')
  await exited
  return until('the end of the server', async () => !(await isAnswering()))
}

t.test(
  '`kill` of `npm start` or `npx mercadito start` ends the server',
  { skip: process.platform === 'win32' },
  async (t) => {
    t.ok(await endsWhenKilled(t, linkRepository(t), 'npm', 'start'))
    t.ok(await endsWhenKilled(t, root, 'npx', 'mercadito', 'start'))
  },
)

t.test('a signal to the whole process group is one signal', { skip: process.platform === 'win32' }, async (t) => {
  const child = spawn(process.execPath, [join(root, 'bin/launch.js'), 'start', '--port', '0', '--ready-json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [ready] = await once(child.stdout, 'data')
  const { port, hostname } = new URL(JSON.parse(ready).url)
  // The server waits for the end of this request, so that a second signal would find it.
  const halfSent = connect(Number(port), hostname, () => halfSent.write('GET /currencies HTTP/1.1\r\nhost: local'))
  t.teardown(() => halfSent.destroy())
  await once(halfSent, 'connect')
  const exited = once(child, 'exit')
  process.kill(-child.pid!, 'SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('an old Node gets one line, and loads nothing of the program', async (t) => {
  const needs = 'mercadito: needs Node 22.19 or newer; this is Node 20.20.2'
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-old-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const path of ['dist', 'bin', 'tools']) mkdirSync(join(folder, path))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  cpSync(join(root, 'dist/program'), join(folder, 'dist/program'), { recursive: true })
  for (const path of ['dist/mercadito.js', 'bin/node_version.cjs', 'bin/repository_node.cjs', 'tools/check_node.cjs'])
    cpSync(join(root, path), join(folder, path))
  const states: [prepare: () => void, help: string][] = [
    [() => {}, '. Run `npm ci`, which installs one on most systems'],
    [
      () => mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true }),
      ', and `npm ci` installs none for this system',
    ],
    [
      () => {
        for (const name of ['node', 'node.cmd']) writeFileSync(join(folder, 'node_modules/.bin', name), '')
      },
      '. `npm ci` has installed a newer one: use `npm start`, or `npx node …`',
    ],
  ]
  const old = ['/usr/bin/node', '/usr/local/bin/node'].filter((path) =>
    /^v20\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  )
  for (const [prepare, help] of states) {
    prepare()
    for (const file of ['dist/mercadito.js', 'tools/check_node.cjs']) {
      const path = join(folder, file)
      const answer = spawnSync(process.execPath, ['--import', PRETEND, '--import', PRINT_FILES, path, 'start'], {
        encoding: 'utf8',
      })
      t.equal(answer.stderr, `${needs}${help}\n`, file)
      t.equal(answer.status, 1)
      const loaded = answer.stdout.split('\n').filter(Boolean)
      const bytes = loaded.map((url) => statSync(fileURLToPath(url)).size).reduce((a, b) => a + b)
      t.ok(bytes < 32 * 1024, `${bytes} bytes in ${loaded}`)
      for (const node of old) {
        const { status, stdout, stderr } = spawnSync(node, [path, 'start'], { encoding: 'utf8' })
        t.strictSame(
          [status, stdout, stderr.replace(/Node 20[\d.]+\d/, 'Node 20.20.2')],
          [1, '', `${needs}${help}\n`],
          node,
        )
      }
    }
  }
})

t.test('`npm start` says in one line if the Node of npm is too old', async (t) => {
  const check = (version: string) =>
    spawnSync(process.execPath, [join(root, 'tools/check_node.cjs')], {
      env: { ...process.env, npm_config_user_agent: `npm/11.19.1 node/v${version} linux x64 workspaces/false` },
      encoding: 'utf8',
    })
  t.match(check('22.19.0'), { status: 0, stdout: '', stderr: /^$/ })
  t.match(check('20.20.2'), {
    status: 0,
    stdout: '',
    stderr: `mercadito: Node 20.20.2 is too old; running with Node ${process.versions.node}, which \`npm ci\` installed\n`,
  })
})
