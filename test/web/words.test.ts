import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { SCREENS } from '../../tools/pictures/screens.ts'
import { at } from '../../tools/root.ts'
import { money, SITES } from '../../web/words/money.ts'
import { distanceOf } from '../../web/words/time.ts'
import { fill, LANGUAGES, type Language, type Text, type Texts } from '../../web/words/words.ts'

const files = globSync('web/{words,shell,screens/*}/texts.ts', { cwd: at('.') })

const isText = (value: Texts[string]): value is Record<Language, Text> => typeof value[LANGUAGES[0]!] === 'string'
const leavesOf = (texts: Texts): [name: string, Record<Language, Text>][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    isText(value) ? [[name, value] as const] : leavesOf(value as Texts),
  )
const holesOf = (text: Text): string[] => text.match(/\{#?\}/g) ?? []

t.test('a price has its currency, and the separators of its site', async (t) => {
  const written = (...price: Parameters<typeof money>) => money(...price).replaceAll('\u00a0', ' ')
  t.equal(written(12_999.5, 'ARS', 'MLA1400000001'), 'ARS 12.999,50')
  t.equal(written(1234, 'BRL', 'MLB1'), 'BRL 1.234')
  t.equal(written(1234.5, 'MXN', 'MLM1'), 'MXN 1,234.50')
  t.equal(written(1234.5, null, 'XXX'), '1,234.50')
  t.equal(SITES.length, 19)
})

t.test('a distance to come is rounded, one that is over counts what is complete', async (t) => {
  const MINUTE = 60_000
  const DAY = 24 * 60 * MINUTE
  for (const [ms, text] of [
    [30 * DAY - MINUTE, 'in 30 days'],
    [29.4 * DAY, 'in 29 days'],
    [61 * MINUTE, 'in 1 hr.'],
    [-1.9 * DAY, 'yesterday'],
    [-59 * MINUTE, '59 min. ago'],
    [0, 'now'],
  ] as const)
    t.equal(distanceOf(ms, 0), text)
})

t.test('a text with holes has its values, and words that go with a number', async (t) => {
  t.equal(fill('{} of {}, in {#} row{|s}', ['{}', 2, 1]), '{} of 2, in 1 row')
  t.equal(fill('{#} {copia|copias}, {#} vist{a|as}', [1, 2000]), '1 copia, 2,000 vistas')
  t.equal(fill('row{|s}', [2]), 'rows')
})

t.test('every text exists in all languages', async (t) => {
  t.equal(files.length, 3 + SCREENS.length, 'those of the frame, the search, all screens and each of them')
  for (const file of files) {
    const leaves = leavesOf((await import(pathToFileURL(at(file)).href)).texts)
    t.ok(leaves.length > 5, file)
    for (const [name, text] of leaves) {
      t.strictSame(Object.keys(text), LANGUAGES, `${file}: ${name}`)
      for (const one of Object.values(text)) {
        t.ok(one.trim() === one && one !== '', `${file}: ${name}`)
        t.strictSame(holesOf(one), holesOf(text.es), `${file}: ${name}`)
      }
    }
    const isTranslated = leaves.filter(([, { es, en }]) => es !== en)
    t.ok(isTranslated.length > 0 && leaves.some(([, { es, pt }]) => es !== pt), file)
  }
})
