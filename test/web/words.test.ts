import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { SCREENS } from '../../tools/pictures/screens.ts'
import { at } from '../../tools/root.ts'
import { LANGUAGES, type Language, type Text, type Texts } from '../../web/words/words.ts'

const files = globSync('web/{words,shell,screens/*}/texts.ts', { cwd: at('.') })

const isText = (value: Texts[string]): value is Record<Language, Text> =>
  ['string', 'function'].includes(typeof value[LANGUAGES[0]!])
const leavesOf = (texts: Texts): [name: string, Record<Language, Text>][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    isText(value) ? [[name, value] as const] : leavesOf(value as Texts),
  )

t.test('every text exists in all languages', async (t) => {
  t.equal(files.length, 2 + SCREENS.length)
  for (const file of files) {
    const leaves = leavesOf((await import(pathToFileURL(at(file)).href)).texts)
    t.ok(leaves.length > 5, file)
    for (const [name, text] of leaves) {
      t.strictSame(Object.keys(text), LANGUAGES, `${file}: ${name}`)
      for (const one of Object.values(text))
        if (typeof one === 'string') t.ok(one.trim() === one && one !== '', `${file}: ${name}`)
        else t.equal(one.length, (text.es as () => string).length, `${file}: ${name}`)
    }
    const isTranslated = leaves.filter(([, { es, en }]) => typeof es === 'function' || es !== en)
    t.ok(isTranslated.length > 0 && leaves.some(([, { es, pt }]) => String(es) !== String(pt)), file)
  }
})
