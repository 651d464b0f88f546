import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { at } from '../../tools/root.ts'
import { LANGUAGES, type Language, type Texts } from '../../web/words/words.ts'

interface WordsModule {
  words: { all: Record<Language, Texts> }
}

const files = ['web/words/index.ts', ...globSync('web/screens/*/words.ts', { cwd: at('.') })]

t.test('every text exists in all languages', async (t) => {
  t.ok(files.length > 2)
  for (const file of files) {
    const { words } = (await import(pathToFileURL(at(file)).href)) as WordsModule
    const { es } = words.all
    for (const language of LANGUAGES) {
      const texts = words.all[language]
      t.strictSame(Object.keys(texts), Object.keys(es), `${file}, ${language}`)
      for (const [name, text] of Object.entries(texts)) {
        t.equal(typeof text, typeof es[name], `${file}, ${language}: ${name}`)
        if (typeof text === 'string') t.ok(text.trim() === text && text !== '', `${file}, ${language}: ${name}`)
        else t.equal(text.length, (es[name] as () => string).length, `${file}, ${language}: ${name}`)
      }
    }
    const { en, pt } = words.all
    const isTranslated = Object.keys(es).filter((name) => typeof es[name] === 'function' || es[name] !== en[name])
    t.ok(isTranslated.length > 0 && JSON.stringify(pt) !== JSON.stringify(es), file)
  }
})
