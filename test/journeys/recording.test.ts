import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { call, launch, program } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'
import { compileFailingDisk, FailingDisk, missingForFailingDisk } from '../support/failing_disk.ts'
import { linesOf, recordingFolder } from '../support/recordings.ts'

const folder = recordingFolder(t)

t.test('a killed server leaves a recording of every answered call, which is replayed', async (t) => {
  const file = `${folder}/killed.jsonl`
  const server = await launch(t, '--scenario', 'empty', '--record', file)
  const [seller] = server.sellers as [(typeof server.sellers)[0]]
  for (let n = 0; n < 20; n++)
    t.equal((await call(server, 'GET', `/users/${seller.id}`, undefined, seller.token)).status, 200)
  await server.stop('SIGKILL')
  t.equal(linesOf(file).filter(({ kind }) => kind === 'call').length, 20)
  t.match(await inProcess('requests', 'replay', file), {
    code: 0,
    output: /replayed 20 calls .*\nno answer differs\n$/,
  })
  const again = await inProcess('start', '--port', '0', '--record', file)
  t.match(again, { code: 1, errors: /^mercadito: .*killed.jsonl exists already: a recording overwrites no file/ })
})

t.test('exec records the calls of a program, with a running clock', async (t) => {
  const file = `${folder}/exec.jsonl`
  const source = `
    const { MERCADITO_URL: url, MERCADITO_TOKEN: token, MERCADITO_BUYER_TOKEN: buyer, MERCADITO_SELLER_ID: id } = process.env
    const send = async (path, token, body) => (await fetch(url + path, {
      method: body ? 'POST' : 'GET', headers: { authorization: 'Bearer ' + token }, body: body && JSON.stringify(body),
    })).json()
    const { results: [item] } = await send('/_sandbox/items?limit=1', '', undefined)
    const asked = await send('/questions', buyer, { item_id: item.id, text: 'Hay?' })
    await send('/answers', token, { question_id: asked.id, text: 'Si' })
    await send('/questions/search?limit=3', token)`
  const node = ['--', process.execPath, '--input-type=module', '-e', source]
  t.strictSame(await inProcess('exec', '--record', file, ...node), { code: 0, output: '', errors: '' })
  t.match(await inProcess('requests', 'replay', file), {
    code: 0,
    output: /^replayed 3 calls of version [\d.]+: 3 compared whole\nno answer differs\n$/,
  })
})

const missing = missingForFailingDisk()
if (missing !== undefined) t.pass(`skipped: this needs ${missing}`)
else t.test('a full disk ends the recording with one line, and calls are served', fillDisk)

async function fillDisk(t: Test): Promise<void> {
  const full = `${folder}/full`
  mkdirSync(full)
  const file = `${full}/run.jsonl`
  const env = compileFailingDisk(folder, full)
  const disk = new FailingDisk(folder)
  t.teardown(() => disk.close())
  const child = spawn(
    process.execPath,
    [program, '--port', '0', '--ready-json', '--scenario', 'empty', '--record', file],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, NODE_OPTIONS: '' },
    },
  )
  t.teardown(() => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line)) as { url: string }
  const status = async () => (await fetch(`${url}/sites`)).status
  t.equal(await status(), 200)
  const before = readFileSync(file, 'utf8')
  disk.fail('write', 'ENOSPC')
  for (let n = 0; n < 3; n++) t.equal(await status(), 200)
  disk.heal()
  t.equal(await status(), 200)
  child.kill()
  await once(child, 'exit')
  t.equal(readFileSync(file, 'utf8'), before, 'whole lines, and nothing after the failure')
  t.match(
    errors,
    /^mercadito: the recording .* has ended after \d+ bytes: it cannot be written \(ENOSPC\); calls are served, but no longer recorded\n$/,
  )
}
