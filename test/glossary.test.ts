import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { CODES_TEXT, explainCode } from '../control/explain/codes.ts'
import { blocksOf, withoutCode } from '../tools/docs/markdown.ts'
import { at } from '../tools/root.ts'

// One word for one thing in Spanish and Portuguese: docs/glossary.md has the words, and those that are not used.

const TRANSLATIONS = ['es', 'pt'] as const
type Translation = (typeof TRANSLATIONS)[number]

/** Forms of address other than tú and você. Imperatives count at the beginning of a sentence only. */
const ADDRESS: Record<Translation, RegExp> = {
  es: word(
    'ustedes|usted|(?<=(?:^|[.:;!|]) )(?:Abra|Añada|Cambie|Compruebe|Configure|Copie|Cree|Deje|Dibuje|Ejecute|Elija|Envíe|Escriba|Espere|Guarde|Haga|Inicie|Instale|Lea|Llame|Mire|Mueva|Necesita|Ponga|Pruebe|Quite|Responda|Use|Vea|(?:Déje|Inície|Ejecúte|Envíe|Dése)l[aeo]s?)',
  ),
  pt: word('tu|teus?|tuas?|vós|voss[ao]s?|ficheiros?|utilizador(?:es)?'),
}
function word(pattern: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu')
}

interface Term {
  term: string
  not: string[]
}
const rows = [
  ...readFileSync(at('docs/glossary.md'), 'utf8').matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm),
].slice(1)
const TERMS: Record<Translation, Term[]> = { es: [], pt: [] }
for (const [, , es, pt, notEs, notPt] of rows) {
  TERMS.es.push({ term: es!, not: notEs!.split(', ') })
  TERMS.pt.push({ term: pt!, not: notPt!.split(', ') })
}

/** What a text says otherwise than the glossary. */
function violations(language: Translation, text: string): string[] {
  const plain = ` ${text.replace(/`[^`\n]*`/g, '').replace(/\s+/g, ' ')}`
  const words = TERMS[language].flatMap(({ term, not }) => {
    const [first, ...rest] = term.split(' ')
    const correct =
      rest.length > 0 ? plain.replaceAll(new RegExp(`${first}(?:e?s)? ${rest.join(' ')}`, 'giu'), '') : plain
    return not.filter((other) => word(other).test(correct))
  })
  return [...words, ...(ADDRESS[language].exec(plain) ?? [])]
}

/** All texts of a language in a value of a module: members `es` and `pt`, and sentences that functions make. */
function textsIn(value: unknown, language: Translation, inside?: string): string[] {
  if (typeof value === 'string') return inside === language ? [value] : []
  if (typeof value === 'function') {
    // The bundler of the tests has escaped the letters.
    const source = String(value).replace(/\\(?:x(..)|u(....))/g, (_, x, u) =>
      String.fromCharCode(Number(`0x${x ?? u}`)),
    )
    const sentences = [...source.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, text]) => text!)
    return sentences.flatMap((text) => textsIn(text, language, inside))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    textsIn(member, language, ['en', ...TRANSLATIONS].includes(name) ? name : inside),
  )
}

/** A text of the console about one and about several. */
const spoken = (text: string): string[] => ['$1', '$2'].map((form) => text.replaceAll(/\{([^{}|]*)\|([^{}]*)\}/g, form))

const modulesOf = (...patterns: string[]) =>
  Promise.all(
    globSync(patterns, { cwd: at('.') }).map(
      async (path) => [path, await import(pathToFileURL(at(path)).href)] as const,
    ),
  )

t.test('the glossary has 26 terms in three languages', (t) => {
  t.equal(rows.length, 26)
  const english = rows.map(([, name]) => name!)
  t.strictSame(english, [...english].sort(), 'sorted')
  t.end()
})

t.test('other words than those of the glossary are found', (t) => {
  t.strictSame(violations('es', 'La petición crea una solicitud; el aviso llega.'), ['petición', 'solicitud', 'aviso'])
  t.strictSame(violations('es', 'La llamada crea una solicitud de crédito; dos solicitudes de crédito. `aviso`'), [])
  t.strictSame(violations('pt', 'A requisição cria um pedido; o aviso chega.'), ['requisição', 'pedido', 'aviso'])
  t.strictSame(violations('es', 'Listo. Abra la consola.'), ['Abra'])
  t.strictSame(violations('es', 'Lo que usted ve'), ['usted'])
  t.strictSame(violations('pt', 'O teu programa'), ['teu'])
  const texts = { a: { es: { b: 'x', c: () => `petición` }, pt: 'y', en: 'z' } }
  t.strictSame(textsIn(texts, 'es'), ['x', 'petición'])
  t.end()
})

for (const language of TRANSLATIONS) {
  t.test(`pages in ${language}`, (t) => {
    const pages = globSync(`docs/${language}/**/*.md`, { cwd: at('.') })
    t.ok(pages.length > 4)
    for (const page of pages) {
      const text = readFileSync(at(page), 'utf8')
      t.strictSame(violations(language, withoutCode(text)), [], page)
      t.ok(blocksOf(text).length > 0, page)
    }
    t.end()
  })

  t.test(`the console in ${language}`, async (t) => {
    for (const [path, module] of await modulesOf('web/{words,shell,screens/*}/texts.ts'))
      t.strictSame(
        textsIn(module, language).flatMap((text) => spoken(text).flatMap((one) => violations(language, one))),
        [],
        path,
      )
    const titles = readFileSync(at('web/screens/index.ts'), 'utf8').matchAll(new RegExp(` ${language}: '([^']+)'`, 'g'))
    t.strictSame(
      [...titles].flatMap(([, title]) => violations(language, title!)),
      [],
    )
  })

  t.test(`explanations and findings in ${language}`, async (t) => {
    let count = 0
    for (const [path, module] of await modulesOf('control/{audit,explain}/*.ts', 'domains/*/checks.ts')) {
      const texts = textsIn(module, language)
      count += texts.length
      t.strictSame(
        texts.flatMap((text) => violations(language, text)),
        [],
        path,
      )
    }
    for (const code of CODES_TEXT.match(/[A-Z_]{3,}|\d+/g)!) {
      const text = explainCode(code, language)?.text
      if (text) t.strictSame(violations(language, text), [], code)
    }
    t.ok(count > 150, `${count} texts`)
  })
}
