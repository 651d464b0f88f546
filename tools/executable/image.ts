import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chrooting, said } from './check.ts'
import { run } from './node.ts'
import { at } from './platforms.ts'
import { begun, called, ended, type Way } from './running.ts'

/** What the last stage of the Containerfile says, as an engine would read it. */
interface Image {
  copies: { from: string; to: string; owner?: string }[]
  env: Record<string, string>
  user: string
  /** JSON forms only: there is no shell to read another. */
  entrypoint: string[]
  cmd: string[]
  healthcheck: string[]
  volumes: string[]
  port: number
}

/**
 * Lays the image out in a folder as the Containerfile says and runs its own entry command and health check there, as
 * its user, with nothing else to see. An engine is not needed; what only an engine does, its network and volumes, is
 * not tried.
 */
export async function checkImage(file: string): Promise<void> {
  const image = read(readFileSync(at('Containerfile'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-image-'))
  try {
    const [made, root] = [join(folder, 'out'), join(folder, 'root')]
    run('sh', [at('tools/image/layout.sh'), file, made])
    run('mkdir', [root])
    for (const { from, to, owner = '0:0' } of image.copies) {
      const source = from.replace(/^\/out/, made)
      run('chown', ['-R', owner, source])
      run('cp', ['-a', `${source}.`, join(root, to)])
    }
    await runs(image, { command: chrooting(root, image), cwd: '/', env: image.env })
    // An engine may give a /tmp that nothing is run from.
    assert.ok(!readdirSync(join(root, 'tmp')).some((name) => name.includes('cache')), 'the library lies in the image')
  } finally {
    rmSync(folder, { recursive: true })
  }
  said('as the container image: its entry command and its health check, as its user, in its files alone')
}

async function runs(image: Image, { command, env }: Way): Promise<void> {
  const within = (words: string[], more: Record<string, string> = {}): Way => ({
    command: [...command, ...words],
    cwd: '/',
    env: { ...env, ...more },
  })
  const start = [...image.entrypoint, ...image.cmd]
  const open = ended(within(start))
  assert.deepEqual([open.code, /--admin-token/.test(open.errors)], [2, true], 'open to everybody it does not start')

  const port = (await isFree(image.port)) ? image.port : image.port + 1
  if (port !== image.port) said(`port ${image.port} is taken: the image is tried on ${port}`)
  const url = `http://127.0.0.1:${port}`
  const token = { MERCADITO_ADMIN_TOKEN: 'only-for-this-check' }
  const given = port === image.port ? token : { ...token, MERCADITO_PORT: `${port}`, MERCADITO_URL: url }
  const sick = ended(within(image.healthcheck, given))
  assert.deepEqual([sick.code, /no server answered/.test(sick.errors)], [1, true], 'without a server it is not healthy')
  const server = begun(within(start, given))
  await server.said(/listens on/)
  const healthy = ended(within(image.healthcheck, given))
  assert.deepEqual([healthy.code, healthy.errors], [0, ''])
  const control = `${url}/_sandbox/clock`
  await called(control, undefined, 401)
  await called(control, { headers: { authorization: `Bearer ${token.MERCADITO_ADMIN_TOKEN}` } })
  assert.ok(server.lines.some((line) => line.includes(`kept in ${image.volumes[0]}`)))
  assert.equal(await server.end(), 0)
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })

function read(text: string): Image {
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
