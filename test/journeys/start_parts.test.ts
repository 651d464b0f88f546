import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import t from 'tap'
import { SMALLER_PACKAGES } from '../../tools/build/smaller_packages.ts'
import { at, root } from '../../tools/root.ts'
import { launchWith } from '../support/bundle.ts'

/** Parts that a plain start does not load, each with a text that only their files contain. */
const PARTS = [
  { part: 'the routes of domains', text: 'Average response time of the last 14 days' },
  { part: 'world files', text: 'World file sections after a missing one' },
  { part: 'the SDK of `mcp`', text: 'io.modelcontextprotocol/' },
  { part: 'templates of stubs', text: 'Unclosed section' },
  { part: 'YAML of `stub import`', text: 'tag:yaml.org,2002:' },
  { part: 'certificates of --tls', text: 'X509CertificateGenerator' },
  { part: 'the proxy of `exec --intercept`', text: 'This is the proxy of mercadito exec' },
  { part: 'the proxy of `capture`', text: 'mercadito capture serves programs of this machine' },
  { part: 'the worlds of `compare`', text: 'what the call changes is not known as it was before' },
  { part: 'the client of PostgreSQL', text: 'Client has encountered a connection error' },
  { part: 'the tables of --database', text: 'CREATE TABLE mercadito.node' },
  { part: 'shared worlds', text: 'is not owned by this server now' },
  { part: 'sending on of requests', text: 'x-mercadito-sent-on' },
  { part: 'the listener of --intercept-tls', text: '--intercept-tls: cannot listen on' },
]

/** The files of the program that a server loads until it is ready: it keeps compiled code of each. */
async function filesOfStart(): Promise<string[]> {
  const folder = t.testdir()
  const server = await launchWith(t, { NODE_COMPILE_CACHE: folder })
  await server.stop()
  return readdirSync(join(folder, 'mercadito')).map((name) => name.replace(/-[0-9a-f]+-[0-9a-f]+$/, '.cjs'))
}

t.test('a plain start loads no part that only other commands and flags need', async (t) => {
  const folder = at('dist/program')
  const loaded = await filesOfStart()
  t.ok(loaded.includes('mercadito.cjs'))
  for (const { part, text } of PARTS) {
    const files = globSync('*.cjs', { cwd: folder }).filter((file) =>
      readFileSync(join(folder, file), 'utf8').includes(text),
    )
    t.ok(files.length > 0, `${part} is in ${files}`)
    t.strictSame(
      files.filter((file) => loaded.includes(file)),
      [],
      part,
    )
  }
})

t.test('the SDK of `mcp` brings no web framework', async (t) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [at('mcp/sdk.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: at('dist'),
    alias: SMALLER_PACKAGES,
  })
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  t.strictSame([...new Set(packages)].sort(), ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'zod'])
})
