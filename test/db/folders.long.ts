import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'

t.test('processes that start at the same time each get a folder of their own', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'mercadito-folders-'))
  t.teardown(() => rmSync(parent, { recursive: true }))
  const source = new URL('db/folders.ts', `file://${process.cwd()}/`).href
  const script = `const { createTemporaryFolder } = await import('${source}')
    for (let n = 0; n < 100; n++) createTemporaryFolder('${parent}').release()`
  const exitCodes = Array.from({ length: 10 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    return code
  })
  t.strictSame(
    await Promise.all(exitCodes),
    exitCodes.map(() => 0),
  )
  t.strictSame(readdirSync(parent), ['mercadito.lock'])
})
