import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, PACKAGE, run } from './make.ts'

/** Bytes, packed and unpacked. */
const MOST = { size: 2_000_000, unpackedSize: 6_000_000 }
/** So TypeScript finds a package: from ES modules, from CommonJS, and as bundlers do. */
const WAYS = [
  ['nodenext', 'nodenext', ['use.mts', 'use.cts']],
  ['node16', 'node16', ['use.mts', 'use.cts']],
  ['esnext', 'bundler', ['use.mts']],
] as const
const FLAGS = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']

/**
 * Installs the package that was made into an empty project, with install scripts off, and uses all of it. Throws for
 * what does not work.
 */
export async function check(): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'mercadito-package-'))
  const here = { cwd: project, env: { ...process.env, HOME: project } }
  try {
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', project], { cwd: PACKAGE }))
    for (const [what, most] of Object.entries(MOST))
      if (packed[what] > most) throw new Error(`${what} is ${packed[what]}, more than ${most}`)
    tell(`${packed.filename}: ${packed.size} bytes, unpacked ${packed.unpackedSize} in ${packed.files.length} files`)

    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
    const how = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    run('npm', ['install', ...how, join(project, packed.filename)], { cwd: project })
    tell(`installed with ${readdirSync(join(project, 'node_modules')).filter((name) => name[0] !== '.')}`)

    await program(project, here)
    library(here)
    types(project)
  } finally {
    rmSync(project, { recursive: true })
  }
}

const tell = (text: string) => process.stdout.write(`${text}\n`)

interface Here {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** The command: its version, a server that is asked something, and what an older Node is told. */
async function program(project: string, here: Here): Promise<void> {
  tell(run('npx', ['mercadito', '--version'], here).trim())
  const command = join(project, 'node_modules/.bin/mercadito')
  const server = spawn(command, ['--port', '0', '--ready-json'], { ...here, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(server.stdout, 'data')
    const { url } = JSON.parse(line)
    const env = { ...here.env, MERCADITO_URL: url }
    const asked = JSON.parse(run(command, ['ask', 'MLA1400000001', '¿Hay stock?', '--json'], { ...here, env }))
    if (asked.text !== '¿Hay stock?') throw new Error(`asked ${JSON.stringify(asked)}`)
    for (const path of ['/docs', '/docs/swagger-ui.js', '/openapi.json', '/_sandbox/world.schema.json']) {
      const { status } = await fetch(url + path)
      if (status !== 200) throw new Error(`${path} is ${status}`)
    }
  } finally {
    server.kill()
    await once(server, 'exit')
  }
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const started = `${older}; require('${project}/node_modules/mercadito/bin/package.cjs')`
  const told = run('sh', ['-c', `node -e "$0" 2>&1 || true`, started], here)
  if (told !== 'mercadito: needs Node 22.19 or newer; this is Node 20.20.2\n')
    throw new Error(`an older Node says ${told}`)
  const loaded = `${older}; try { require('mercadito') } catch ({ message }) { console.log(message) }`
  const thrown = run('node', ['-e', loaded], here)
  if (thrown !== 'mercadito needs Node 22.19 or newer; this is Node 20.20.2\n') throw new Error(`it throws ${thrown}`)
  tell('the command works; an older Node is told one line')
}

/** `sandbox` and the client, imported and required, and the examples as a person would run them. */
function library(here: Here): void {
  const use = `(async () => {
    const s = await sandbox({ port: false })
    const { text } = await s.ask('MLA1400000001', 'Hola')
    if (text !== 'Hola' || control('http://x').url !== 'http://x') throw new Error(text)
    await s.close()
  })()`
  const esm = `import { sandbox } from 'mercadito'; import { control } from 'mercadito/control'; await ${use}`
  run('node', ['--input-type=module', '-e', esm], here)
  const cjs = `const { sandbox } = require('mercadito'); const { control } = require('mercadito/control'); ${use}`
  run('node', ['--input-type=commonjs', '-e', cjs], here)
  for (const folder of ['node', 'in_process'])
    cpSync(at(`examples/${folder}`), join(here.cwd, folder), { recursive: true })
  run('node', ['--test', 'in_process/answers.test.js'], here)
  tell('import and require work, and the examples of docs/guides/testing.md')
}

/** TypeScript with what a project has beside: the types of Node. */
function types(project: string): void {
  mkdirSync(join(project, 'node_modules/@types'))
  symlinkSync(at('node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  for (const name of ['use.mts', 'use.cts']) cpSync(at('test/lib/types.ts'), join(project, name))
  for (const [module, resolution, files] of WAYS)
    for (const target of ['es2022', 'esnext']) {
      const how = ['--module', module, '--moduleResolution', resolution, '--target', target, '--types', 'node']
      run(at('node_modules/.bin/tsc'), [...FLAGS, ...how, ...files], { cwd: project })
    }
  tell('its types work, from ES modules, CommonJS and bundlers')
}
