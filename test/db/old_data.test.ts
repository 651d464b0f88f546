import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { openDataFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const decompress = (file: string) => zstdDecompressSync(readFileSync(file))
const versions = globSync('data-*', { cwd: fixtures })
t.ok(versions.length > 0)

/** Later versions may add members to answers. */
for (const version of versions)
  t.test(`opens ${version} with all its data`, async (t) => {
    const from = join(fixtures, version)
    const data = mkdtempSync(join(tmpdir(), 'mercadito-old-'))
    t.teardown(() => rmSync(data, { recursive: true }))
    for (const name of readdirSync(from))
      if (!name.startsWith('expected')) writeFileSync(join(data, basename(name, '.zst')), decompress(join(from, name)))
    const app = await start(t, { mode: 'kept', folder: openDataFolder(data) })
    const expected = JSON.parse(decompress(join(from, 'expected.json.zst')).toString()) as Record<string, object>
    for (const [url, body] of Object.entries(expected)) t.match((await app.call(url)).body, body, url)
    const search = await app.sellers[0]!.get('/questions/search')
    t.equal(search.status, 200)
    t.equal((await app.control('POST /snapshots/before/restore')).status, 204)
    t.equal((await app.control('POST /reset')).status, 204)
    t.equal((await app.control('POST /worlds', { scenario: 'empty' })).body.world.id, 3)
  })
