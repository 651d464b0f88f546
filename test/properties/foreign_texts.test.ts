import t from 'tap'
import { SecretNames } from '../../control/recording/secrets.ts'
import { replaceParts } from '../../http/journal/multipart.ts'
import { maskUrl, REDACTED, redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import { Aliases } from '../../replay/aliases.ts'

const KIB = 1024
/** What a text has again and again when a pattern begins everywhere and fails only far behind. */
const TOKENS = ['APP_USR-1', 'APP_USR-1-000000-a', 'TG-deadbeef', '***token-1']
const FORMS = ['?', '&code', '&_body=%', '/_sandbox/tokens/']
const MULTIPART = ['name=code\n', 'name=code;', 'name="code" ', '\n--', '\r\n']
const JSON_TEXT = ['"code"', '"code":"\\"', '"password":"\\', '"url":"', '"callback_url" ', '[', '\\']
const GENERATED = ['a', '0', 'aaaa_', '00000000-']

/** Replacers cut their text, so that they get it in pieces. */
const inPieces = (read: (text: string) => unknown) => (text: string) => {
  for (let start = 0; start < text.length; start += 64 * KIB) read(text.slice(start, start + 64 * KIB))
}

/** Functions that read what strangers sent, with the longest text: many seconds if the time were quadratic. */
const READERS: readonly [what: string, read: (text: string) => unknown, repeated: string[], kib: number][] = [
  ['multipart', (text) => replaceParts(text, SECRETS.request, () => REDACTED), MULTIPART, 1024],
  ['redact', inPieces((text) => redact(text, SECRETS.request)), [...TOKENS, ...MULTIPART, '&', '"code":"\\"'], 2048],
  ['redact', inPieces((text) => redact(`{"code" : ${text}`, SECRETS.response)), [' ', '"', '"\\"', '1'], 2048],
  ['maskUrl', (text) => maskUrl(`http://${text}`), ['?', '/', '@', '//a', ':'], 512],
  ['recorded requests', (text) => new SecretNames().inRequest(text), [...TOKENS, ...FORMS, ...MULTIPART], 512],
  ['recorded JSON', (text) => new SecretNames().inRequest(`{${text}`), JSON_TEXT, 512],
  ['recorded answers', (text) => new SecretNames().inAnswer(text), JSON_TEXT, 512],
  ['recorded states', (text) => new SecretNames().inState(text), JSON_TEXT, 512],
  ['recorded targets', (text) => new SecretNames().inTarget(`/${text}`), FORMS, 512],
  ['recorded authorization', (text) => new SecretNames().inAuthorization(text), [' ', 'a ', '\n'], 512],
  ['replayed texts', (text) => new Aliases(true).toActual(text), [...TOKENS, ...GENERATED], 512],
]
/** Of one text; linear time is a small part of a second. */
const LIMIT_MS = 5000

for (const [what, read, repeated, kib] of READERS)
  t.test(`${what} take linear time`, async (t) => {
    const slow = repeated.filter((part) => {
      let ms = 0
      for (let size = kib / 16; size <= kib && ms < LIMIT_MS; size *= 4) {
        const begin = performance.now()
        read(part.repeat(Math.ceil((size * KIB) / part.length)))
        ms = performance.now() - begin
      }
      return ms >= LIMIT_MS
    })
    t.strictSame(slow, [])
  })

t.test('redaction reads 64 KiB of a text and leaves the rest out', async (t) => {
  const token = `APP_USR-1-010203-${'a'.repeat(32)}-7`
  for (const read of [redactTokens, (text: string) => redact(text, SECRETS.request)]) {
    t.equal(read(`${'x'.repeat(64 * KIB)}y`), 'x'.repeat(64 * KIB))
    t.equal(read(`${'x '.repeat(32 * KIB - 15)}${token}`), `${'x '.repeat(32 * KIB - 15)}${REDACTED}`, 'a cut token')
  }
})

t.test('secrets of several lines in a multipart body', async (t) => {
  const part = (name: string, value: string, header = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${header}\r\n${value}\r\n`
  const body = (...[secret, password, nothing]: string[]) =>
    `${part('code', secret!, 'Content-Type: text/plain\r\n')}${part('x', '1')}${part('password', password!)}${part('secret', nothing!)}--b--\r\n`
  const sent = body('sesame\r\nsesame\r\n\r\nsesame', 'open\n-sesame', '')
  t.equal(redact(sent, SECRETS.request), body(REDACTED, REDACTED, REDACTED))
  t.equal(new SecretNames().inRequest(sent), body('***token-1***', '***password-1***', ''))
  t.equal(redact('name=code\n\nsesame', SECRETS.request), `name=code\n\n${REDACTED}`, 'the beginning of a body')
})
