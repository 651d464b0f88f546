import { deepEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Report } from '../docs/report.ts'
import { at } from '../root.ts'
import { run } from '../run.ts'
import { openContainerEngine } from './container_engine.ts'

/** Ms that the tests may take. */
const MAX_MS = 120_000
const ID = /c{64}/

/** Runs examples/testcontainers with the real package, but an engine of our own: there is none where CI runs. */
export async function checkTestcontainers(
  report: Report,
  folder: string,
  tarball: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const cwd = join(folder, 'testcontainers')
  cpSync(at('examples/testcontainers'), cwd, { recursive: true })
  mkdirSync(join(cwd, 'ci'))
  copyFileSync(tarball, join(cwd, 'ci/mercadito.tgz'))
  await report.check('Testcontainers: npm install', () => {
    run('npm', ['install'], { cwd, env })
  })
  await report.check('Testcontainers: its types are those that the package needs', () => {
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--checkJs',
      '--strict',
      '--noImplicitAny',
      'false',
      '--skipLibCheck',
      '--types',
      'node',
    ]
    const module = ['--module', 'nodenext', '--target', 'esnext']
    run(at('node_modules/.bin/tsc'), [...flags, ...module, 'answers.test.js'], { cwd, env })
  })
  const engine = await openContainerEngine()
  try {
    await report.check('Testcontainers: npm test', async () => {
      // Ryuk is a container that removes others when the tests are killed.
      const variables = { DOCKER_HOST: engine.host, TESTCONTAINERS_RYUK_DISABLED: 'true' }
      const child = spawn('npm', ['test'], { cwd, env: { ...env, ...variables }, timeout: MAX_MS })
      const [output] = await Promise.all([text(child.stdout), new Promise((resolve) => child.on('exit', resolve))])
      if (child.exitCode !== 0 || !/pass 2$/m.test(output)) throw new Error(`${output}\n${engine.calls.join('\n')}`)
    })
    await report.check('Testcontainers: creates, starts, inspects, stops and removes a container', () => {
      const calls = engine.calls
        .map((call) => call.replace(ID, '{id}'))
        .filter((call) => call.includes(' /containers/'))
      deepEqual(
        [...new Set(calls)],
        [
          // Looks for one that removes others.
          'GET /containers/json',
          'POST /containers/create',
          'POST /containers/{id}/start',
          'GET /containers/{id}/json',
          'POST /containers/{id}/stop',
          'DELETE /containers/{id}',
        ],
      )
      const [{ Image, ExposedPorts, Env }] = engine.created as [(typeof engine.created)[0]]
      deepEqual([engine.created.length, Image, ExposedPorts], [1, 'mercadito:latest', { '4400/tcp': {} }])
      deepEqual(
        Env.map((line) => line.replace(/=[\da-f]{48}$/, '=(48 hex digits)')),
        ['MERCADITO_ADMIN_TOKEN=(48 hex digits)', 'MERCADITO_DATA='],
      )
    })
  } finally {
    engine.close()
  }
}
