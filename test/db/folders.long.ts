import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'

t.test('many processes that come at once all get a folder of their own', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'mercadito-turns-'))
  t.teardown(() => rmSync(home, { recursive: true }))
  const source = new URL('db/folders.ts', `file://${process.cwd()}/`).href
  const come = `const { createTemporaryFolder } = await import('${source}')
    for (let n = 0; n < 40; n++) createTemporaryFolder('${home}').release()`
  const ended = Array.from({ length: 10 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', come], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    return code
  })
  t.strictSame(
    await Promise.all(ended),
    ended.map(() => 0),
  )
  t.strictSame(readdirSync(home), ['mercadito.lock'])
})
