import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { launchWith, program } from '../support/bundle.ts'

/** Parts of the program that a plain start does not load, each with a text of its own that the minifier keeps. */
const PARTS: Record<string, string> = {
  'the certificate authority': 'CN=mercadito intercept',
  'the proxy of exec': 'This is the proxy of mercadito exec',
  'the library for certificates': 'SubjectAlternativeName',
}
/** Loaded at every start: shows that loaded files are seen. */
const LOADED = 'mercadito listens on'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

t.test('a plain start loads no part that it does not use', async (t) => {
  const folder = t.testdir()
  const [hook, log] = [join(folder, 'hook.mjs'), join(folder, 'loaded')]
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context) } })`,
  )
  const server = await launchWith(t, { NODE_OPTIONS: `--import=${hook}` }, '--scenario', 'empty')
  t.equal((await fetch(`${server.url}/currencies/ARS`)).status, 200)
  await server.stop()
  const loaded = new Set(
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url)),
  )
  t.ok(loaded.has(program))
  const filesWith = (text: string) =>
    globSync('*.js', { cwd: dist })
      .map((name) => join(dist, name))
      .filter((path) => readFileSync(path, 'utf8').includes(text))
  t.ok(
    filesWith(LOADED).some((path) => loaded.has(path)),
    'loaded files are seen',
  )
  for (const [part, text] of Object.entries(PARTS)) {
    const files = filesWith(text)
    t.not(files.length, 0, `${part} is in the build`)
    t.strictSame(
      files.filter((path) => loaded.has(path)),
      [],
      part,
    )
  }
})
