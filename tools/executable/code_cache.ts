import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import flags from '../../bin/v8_flags.json' with { type: 'json' }
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { at } from '../root.ts'
import { addonPath, currentPlatform } from './platforms.ts'

// `node tools/executable/code_cache.ts program.js program.cache`: runs the bundled program as the executable will run
// it, until it has answered some calls, and then writes V8's code cache, which holds the functions that were compiled.

const [programPath, cachePath] = process.argv.slice(2) as [string, string]
const script = new Script(readFileSync(programPath, 'latin1'), { filename: 'mercadito.js' })
const require = createRequire(import.meta.url)
/** Replaces `node:sea`. */
const sea = {
  isSea: () => true,
  getRawAsset: (name: string) =>
    new Uint8Array(readFileSync(name.endsWith('.node') ? addonPath(currentPlatform!) : at(`dist/assets/${name}`)))
      .buffer,
}

const FIRST_CALLS = ['/users/me', '/questions/search?status=UNANSWERED', '/_sandbox/clock']

process.stdout.write = (line) => {
  void writeCache(JSON.parse(String(line)))
  return true
}
process.env.XDG_CACHE_HOME = tmpdir()
process.argv = [process.execPath, programPath, '--port', '0', '--ready-json']
script.runInThisContext()((id: string) => (id === 'node:sea' ? sea : require(id)), { exports: {} }, {})

async function writeCache({ url, sellers }: WorldInfo): Promise<void> {
  for (const path of FIRST_CALLS) {
    const status = await statusOf(url + path, sellers[0]!.token)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
  }
  // V8 accepts a cache only with equal flags, and the program has changed these.
  for (const { initial } of flags) setFlagsFromString(initial)
  writeFileSync(cachePath, script.createCachedData())
  process.kill(process.pid, 'SIGTERM')
}

const statusOf = (url: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    }).on('error', reject)
  })
