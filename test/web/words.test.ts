import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { SCREENS } from '../../tools/pictures/screens.ts'
import { at } from '../../tools/root.ts'
import { LANGUAGES, type Language, type Texts } from '../../web/words/words.ts'

const files = ['web/words/es.ts', ...globSync('web/screens/*/words_es.ts', { cwd: at('.') })]

/** The texts of a screen in all languages, by the file of one. */
async function textsOf(file: string): Promise<Record<Language, Texts>> {
  const load = async (name: Language): Promise<[Language, Texts]> => {
    const path = file.replace(/es\.ts$/, `${name}.ts`)
    return [name, (await import(pathToFileURL(at(path)).href))[name]]
  }
  return Object.fromEntries(await Promise.all(LANGUAGES.map(load))) as Record<Language, Texts>
}

t.test('every text exists in all languages', async (t) => {
  t.equal(files.length, 1 + SCREENS.length)
  for (const file of files) {
    const all = await textsOf(file)
    const { es, en, pt } = all
    for (const language of LANGUAGES) {
      const texts = all[language]
      t.strictSame(Object.keys(texts), Object.keys(es), `${file}, ${language}`)
      for (const [name, text] of Object.entries(texts)) {
        t.equal(typeof text, typeof es[name], `${file}, ${language}: ${name}`)
        if (typeof text === 'string') t.ok(text.trim() === text && text !== '', `${file}, ${language}: ${name}`)
        else t.equal(text.length, (es[name] as () => string).length, `${file}, ${language}: ${name}`)
      }
    }
    const isTranslated = Object.keys(es).filter((name) => typeof es[name] === 'function' || es[name] !== en[name])
    t.ok(isTranslated.length > 0 && JSON.stringify(pt) !== JSON.stringify(es), file)
  }
})
