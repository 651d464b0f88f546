import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { anchorsOf, blocksOf, linksOf } from './markdown.ts'
import type { Report } from './report.ts'

/** Languages of the translations. */
const LANGUAGES = ['es', 'pt']
/** Pages that have translations. */
const TRANSLATED = /^(README\.md|docs\/console\.md|docs\/tutorials\/.*|docs\/guides\/(ci|log-in|webhooks|why)\.md)$/
const MAX_README_LINES = 150
const MARKS = new Set(['file', 'keeps running', 'needs', 'not run', 'stops'])

/** Checks the texts without running commands. `pages`: paths below `root`. */
export async function checkPages(root: string, pages: string[], { check }: Report): Promise<void> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')

  for (const page of pages.filter((path) => path.endsWith('README.md') && path !== 'docs/README.md'))
    await check(`${page} has at most ${MAX_README_LINES} lines`, () => {
      const lines = read(page).split('\n').length - 1
      if (lines > MAX_README_LINES) throw new Error(`it has ${lines}`)
    })

  for (const page of pages) {
    await check(`${page}: every link leads to a file and a heading`, () => {
      const broken = linksOf(read(page)).filter((link) => !resolves(link, page))
      if (broken.length > 0) throw new Error(broken.join(', '))
    })
    await check(`${page}: markers are known, and quoted files are as quoted`, () => {
      for (const { marks, text } of blocksOf(read(page))) {
        const unknown = Object.keys(marks).filter((name) => !MARKS.has(name))
        if (unknown.length > 0) throw new Error(`unknown marker ${unknown.join(', ')}`)
        if (marks['not run'] && !marks['not run'].startsWith('needs ')) throw new Error(`not run: ${marks['not run']}`)
        if (marks.file && read(marks.file).trimEnd() !== text.trimEnd()) throw new Error(`${marks.file} differs`)
      }
    })
  }

  await check('docs/README.md links to every page', () => {
    const linked = new Set(linksOf(read('docs/README.md')).map((link) => normalize(join('docs', link))))
    const missing = pages.filter((page) => page !== 'docs/README.md' && !linked.has(page))
    if (missing.length > 0) throw new Error(`not linked: ${missing.join(', ')}`)
  })

  for (const language of LANGUAGES)
    for (const original of pages.filter((path) => TRANSLATED.test(path))) {
      const translation = `docs/${language}/${original.replace(/^docs\//, '')}`
      await check(`${translation} has the code blocks and the sections of ${original}`, () => {
        const [ours, theirs] = [read(original), read(translation)].map((text) => ({
          blocks: blocksOf(text).map((block) => JSON.stringify(block)),
          headings: anchorsOf(text).length,
        }))
        const different = ours!.blocks.findIndex((block, n) => block !== theirs!.blocks[n])
        if (different >= 0) throw new Error(`block ${different + 1}: ${ours!.blocks[different]}`)
        if (ours!.blocks.length !== theirs!.blocks.length) throw new Error('it has more code blocks')
        if (ours!.headings !== theirs!.headings) throw new Error('it has another number of headings')
      })
    }

  function resolves(link: string, page: string): boolean {
    const [path, anchor] = link.split('#') as [string, string | undefined]
    const target = path === '' ? page : normalize(join(dirname(page), path))
    if (!existsSync(join(root, target))) return false
    return anchor === undefined || anchorsOf(read(target)).includes(decodeURIComponent(anchor))
  }
}
