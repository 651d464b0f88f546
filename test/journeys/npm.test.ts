import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

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
  const deadline = performance.now() + 10_000
  while ((await isAnswering()) && performance.now() < deadline) await setTimeout(20)
  return !(await isAnswering())
}

t.test(
  '`kill` of `npm start` or `npx mercadito start` ends the server',
  { skip: process.platform === 'win32' },
  async (t) => {
    t.ok(await endsWhenKilled(t, linkRepository(t), 'npm', 'start'))
    t.ok(await endsWhenKilled(t, root, 'npx', 'mercadito', 'start'))
  },
)

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
