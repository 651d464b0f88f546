import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { Script } from 'node:vm'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { addonOf, at, here } from './platforms.ts'

// `node tools/executable/warm.ts program.js program.cache`: runs the bundled program as the executable will, with the
// files that it will have inside, until it has answered; then writes what V8 has compiled of it.

const [from, to] = process.argv.slice(2) as [string, string]
const script = new Script(readFileSync(from, 'latin1'), { filename: 'mercadito.js' })
const require = createRequire(import.meta.url)
const inside = {
  isSea: () => true,
  getRawAsset: (name: string) =>
    new Uint8Array(readFileSync(name.endsWith('.node') ? addonOf(here!) : at(`dist/assets/${name}`))).buffer,
}

/** What most clients begin with. */
const CALLS = ['/users/me', '/questions/search?status=UNANSWERED', '/_sandbox/clock']

process.stdout.write = (line) => {
  finish(JSON.parse(String(line)))
  return true
}
process.env.XDG_CACHE_HOME = tmpdir()
process.argv = [process.execPath, from, '--port', '0', '--ready-json']
script.runInThisContext()((id: string) => (id === 'node:sea' ? inside : require(id)), { exports: {} }, {})

async function finish({ url, sellers }: WorldInfo): Promise<void> {
  for (const path of CALLS) {
    const status = await called(url + path, sellers[0]!.token)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
  }
  writeFileSync(to, script.createCachedData())
  process.kill(process.pid, 'SIGTERM')
}

const called = (url: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    }).on('error', reject)
  })
