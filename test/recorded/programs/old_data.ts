import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { sandbox } from '../../../lib/index.ts'
import { type Exchange, readable } from '../exchange.ts'
import { stopRealTime, withoutPorts } from '../normal.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const PATHS = ['world', 'users', 'tokens', 'questions', 'faults', 'snapshots', 'deliveries', 'clock']

/** Reads all data of the folders of released versions, before and after a restore and a reset. */
export async function oldDataFolders(): Promise<Exchange[]> {
  const all: Exchange[] = []
  const resumeRealTime = stopRealTime()
  try {
    for (const version of globSync('data-*', { cwd: FIXTURES }).sort()) {
      const data = mkdtempSync(join(tmpdir(), 'mercadito-recorded-'))
      try {
        const from = join(FIXTURES, version)
        for (const name of readdirSync(from).filter((name) => !name.startsWith('expected')))
          writeFileSync(join(data, basename(name, '.zst')), zstdDecompressSync(readFileSync(join(from, name))))
        await using server = await sandbox({ data, port: false })
        const call = async (method: string, path: string) => {
          const answer = await server.fetch(`${server.url}${path}`, { method })
          const body = withoutPorts(await answer.text())
          all.push({
            call: `${version}: ${method} ${path}`,
            status: answer.status,
            ...(body && { body: readable(body) }),
          })
        }
        const look = async () => {
          for (const base of ['', '/w/2']) for (const path of PATHS) await call('GET', `${base}/_sandbox/${path}`)
        }
        await look()
        await call('POST', '/_sandbox/snapshots/before/restore')
        await look()
        for (const base of ['', '/w/2']) await call('POST', `${base}/_sandbox/reset`)
        await look()
      } finally {
        rmSync(data, { recursive: true })
      }
    }
    return all
  } finally {
    resumeRealTime()
  }
}
