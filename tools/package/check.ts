import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { checkMcp } from '../check_mcp.ts'
import { at } from '../root.ts'
import { plainEnvironment, run } from '../run.ts'
import type { Packed } from './pack.ts'

const MAX_BYTES = { size: 3_150_000, unpackedSize: 9_350_000 }
/** The page of the console and its script. */
const CONSOLE = ['/_sandbox/console/', '/_sandbox/console/console.app.js']
/** How TypeScript finds a package: from ES modules, from CommonJS, and as bundlers do; with the oldest and the newest target. */
const RESOLUTIONS = [
  ['nodenext', 'nodenext', 'es2022', ['use.mts', 'use.cts']],
  ['node16', 'node16', 'es2022', ['use.mts', 'use.cts']],
  ['esnext', 'bundler', 'esnext', ['use.mts']],
] as const
const FLAGS = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--types', 'node', '--skipDefaultLibCheck', '--checkers', '1'],
]

/** Installs the built package in an empty project, and uses all of it. Throws an Error if a check fails. */
export async function check(packed: Packed): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'mercadito-package-'))
  const options = { cwd: project, env: { ...plainEnvironment(), HOME: project } }
  try {
    for (const [name, max] of Object.entries(MAX_BYTES) as [keyof typeof MAX_BYTES, number][])
      if (packed[name] > max) throw new Error(`${name} is ${packed[name]}, more than ${max}`)
    print(
      `${basename(packed.path)}: ${packed.size} bytes, unpacked ${packed.unpackedSize} in ${packed.files.length} files`,
    )

    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    run('npm', ['install', ...flags, packed.path], { cwd: project })
    print(`installed with ${readdirSync(join(project, 'node_modules')).filter((name) => name[0] !== '.')}`)

    await checkCommand(project, options)
    await checkMcp(join(project, 'node_modules/.bin/mercadito'), options)
    print('mcp answers a tool and a resource')
    checkLibrary(options)
    checkTypes(project)
  } finally {
    rmSync(project, { recursive: true })
  }
}

const print = (text: string) => process.stdout.write(`${text}\n`)

interface Options {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** The command: its version, a server that answers a question, and the message for an older Node. */
async function checkCommand(project: string, options: Options): Promise<void> {
  const command = join(project, 'node_modules/.bin/mercadito')
  print(run(command, ['--version'], options).trim())
  const server = spawn(command, ['--port', '0', '--ready-json'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(server.stdout, 'data')
    const { url } = JSON.parse(line)
    const env = { ...options.env, MERCADITO_URL: url }
    const question = JSON.parse(run(command, ['ask', 'MLA1400000001', '¿Hay stock?', '--json'], { ...options, env }))
    if (question.text !== '¿Hay stock?') throw new Error(`ask printed ${JSON.stringify(question)}`)
    for (const path of ['/docs', '/docs/swagger-ui.js', '/openapi.json', '/_sandbox/world.schema.json', ...CONSOLE]) {
      const { status } = await fetch(url + path)
      if (status !== 200) throw new Error(`${path} is ${status}`)
    }
  } finally {
    server.kill()
    await once(server, 'exit')
  }
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const started = `${older}; require('${project}/node_modules/mercadito/bin/package.cjs')`
  const printed = run('sh', ['-c', `node -e "$0" 2>&1 || true`, started], options)
  if (printed !== 'mercadito: needs Node 22.19 or newer; this is Node 20.20.2\n')
    throw new Error(`an older Node prints ${printed}`)
  const loaded = `${older}; try { require('mercadito') } catch ({ message }) { console.log(message) }`
  const thrown = run('node', ['-e', loaded], options)
  if (thrown !== 'mercadito needs Node 22.19 or newer; this is Node 20.20.2\n') throw new Error(`it throws ${thrown}`)
  print('the command works, and an older Node prints one line')
}

/** `sandbox` and the client with import and require, and the examples. */
function checkLibrary(options: Options): void {
  const use = `(async () => {
    const s = await sandbox({ port: false })
    const { text } = await s.ask('MLA1400000001', 'Hola')
    if (text !== 'Hola' || control('http://x').url !== 'http://x') throw new Error(text)
    await s.close()
  })()`
  const inWorld = `const s = await sandbox()
    const world = await createWorld({ url: s.url, now: 0 })
    await world.close()
    await s.close()
    if (!world.url.endsWith('/w/2')) throw new Error(world.url)`
  const faked = `const { mock } = require('node:test'); const { sandbox, control } = require('mercadito');
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] });
    ${use}.then(() => console.log('closed'))`
  if (run('node', ['--input-type=commonjs', '-e', faked], options) !== 'closed\n')
    throw new Error('fake timers stop a sandbox')
  const both = `import { createRequire } from 'node:module'
    import { sandbox } from 'mercadito'; import { control, createWorld } from 'mercadito/control'
    const require = createRequire(import.meta.url)
    if (require('mercadito').sandbox !== sandbox || require('mercadito/control').control !== control) throw new Error('two instances')
    await ${use}; ${inWorld}`
  run('node', ['--input-type=module', '-e', both], options)
  for (const folder of ['node', 'in_process'])
    cpSync(at(`examples/${folder}`), join(options.cwd, folder), { recursive: true })
  run('node', ['--test', 'in_process/answers.test.js'], options)
  print('import and require work, and the examples of docs/guides/testing.md')
}

/** Compiles a test of the types in a project that also has the types of Node. */
function checkTypes(project: string): void {
  mkdirSync(join(project, 'node_modules/@types'))
  symlinkSync(at('node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  for (const name of ['use.mts', 'use.cts']) cpSync(at('test/lib/types.ts'), join(project, name))
  for (const [module, resolution, target, files] of RESOLUTIONS) {
    const options = ['--module', module, '--moduleResolution', resolution, '--target', target]
    run(at('node_modules/.bin/tsc'), [...FLAGS, ...options, ...files], { cwd: project })
  }
  print('its types work, from ES modules, CommonJS and bundlers')
}
