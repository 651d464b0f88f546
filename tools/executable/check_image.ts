import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSettings } from '../../bin/settings.ts'
import { freePort } from '../free_port.ts'
import { at } from '../root.ts'
import { run } from '../run.ts'
import { chrootCommand, print } from './check.ts'
import { fetchText, type Invocation, runToEnd, start } from './processes.ts'

/** The last stage of the Containerfile. */
interface Image {
  copies: { from: string; to: string; owner?: string }[]
  env: Record<string, string>
  user: string
  /** JSON form: the image has no shell. */
  entrypoint: string[]
  cmd: string[]
  healthcheck: string[]
  volumes: string[]
  port: number
}

/**
 * Copies the files of the image to a folder, and runs its entry command and health check there in a chroot, as its
 * user. No container engine is needed; network and volumes are not checked.
 */
export async function checkImage(file: string): Promise<void> {
  const image = parseContainerfile(readFileSync(at('Containerfile'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-image-'))
  try {
    const [out, root] = [join(folder, 'out'), join(folder, 'root')]
    run('sh', [at('tools/image/layout.sh'), file, out])
    run('mkdir', [root])
    for (const { from, to, owner = '0:0' } of image.copies) {
      const source = from.replace(/^\/out/, out)
      run('chown', ['-R', owner, source])
      run('cp', ['-a', `${source}.`, join(root, to)])
    }
    await checkRunning(image, { command: chrootCommand(root, image), cwd: '/', env: image.env })
    // An engine may mount /tmp with noexec.
    assert.ok(!readdirSync(join(root, 'tmp')).some((name) => name.includes('cache')), 'the image contains the library')
  } finally {
    rmSync(folder, { recursive: true })
  }
  print('as the container image: its entry command and its health check, as its user, with its files only')
}

async function checkRunning(image: Image, { command, env }: Invocation): Promise<void> {
  const inImage = (words: string[], more: Record<string, string> = {}): Invocation => ({
    command: [...command, ...words],
    cwd: '/',
    env: { ...env, ...more },
  })
  const entry = [...image.entrypoint, ...image.cmd]
  const rejected = runToEnd(inImage(entry))
  assert.deepEqual(
    [rejected.code, /--admin-token/.test(rejected.errors)],
    [2, true],
    'does not start without an admin token',
  )

  assert.equal(image.port, startSettings.find(({ flags }) => flags.startsWith('--port '))?.defaultValue)
  // It shares the network of this machine, where the default port may be in use.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const token = { MERCADITO_ADMIN_TOKEN: 'only-for-this-check' }
  const settings = { ...token, MERCADITO_PORT: `${port}`, MERCADITO_URL: url }
  const unhealthy = runToEnd(inImage(image.healthcheck, settings))
  assert.deepEqual(
    [unhealthy.code, /no server answered/.test(unhealthy.errors)],
    [1, true],
    'is unhealthy without a server',
  )
  const server = start(inImage(entry, settings))
  await server.waitForLine(/listens on/)
  const healthy = runToEnd(inImage(image.healthcheck, settings))
  assert.deepEqual([healthy.code, healthy.errors], [0, ''])
  const control = `${url}/_sandbox/clock`
  await fetchText(control, undefined, 401)
  await fetchText(control, { headers: { authorization: `Bearer ${token.MERCADITO_ADMIN_TOKEN}` } })
  assert.ok(server.lines.some((line) => line.includes(`stored in ${image.volumes[0]}`)))
  assert.equal(await server.stop(), 0)
}

function parseContainerfile(text: string): Image {
  const last = text.slice(text.lastIndexOf('\nFROM ')).replace(/\\\n/g, '')
  const lines = last.split('\n').map((line) => /^([A-Z]+) (.*)$/.exec(line))
  const all = (name: string) => lines.flatMap((line) => (line?.[1] === name ? [line[2]!] : []))
  const one = (name: string): string => {
    const found = all(name)
    assert.equal(found.length, 1, name)
    return found[0]!
  }
  return {
    copies: all('COPY').map((words) => {
      const [, owner, from, to] = /^--from=layout (?:--chown=(\S+) )?(\S+) (\S+)$/.exec(words)!
      return { from: from!, to: to!, ...(owner && { owner }) }
    }),
    env: Object.fromEntries(all('ENV').flatMap((words) => words.split(' ').map((word) => word.split('=')))),
    user: one('USER'),
    entrypoint: JSON.parse(one('ENTRYPOINT')),
    cmd: JSON.parse(one('CMD')),
    healthcheck: JSON.parse(/CMD (\[.*)$/.exec(one('HEALTHCHECK'))![1]!),
    volumes: JSON.parse(one('VOLUME')),
    port: Number(one('EXPOSE')),
  }
}
