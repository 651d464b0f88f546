import type { Page } from 'playwright-core'
import { LANGUAGES, type Language } from '../../web/words/words.ts'
import { axeProblems } from './axe.ts'
import { goTo } from './crawl.ts'
import { type Stage, waitUntilLoaded } from './stage.ts'

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }
/** The themes with the options of axe: they differ only in colours. */
const THEMES = [
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
  ['light', {}],
] as const

interface Options {
  /** Default: all. */
  languages?: readonly Language[]
  /** Default: true. */
  withDialogs?: boolean
  /** Default: true. */
  withAxe?: boolean
}

interface Inspection {
  page: Page
  problems: Set<string>
  languages: readonly Language[]
  withAxe: boolean
  /** Dialogs of lists that stay beside their details. */
  opened: Set<string>
}

/**
 * Checks addresses of the console in languages, wide and narrow, with the dialogs that they open: nothing cut off, no value
 * missing, and text of others is only text; in Spanish also accessible, in both themes. Throws all that it finds.
 */
export async function inspectAll(
  stage: Stage,
  addresses: string[],
  { languages = LANGUAGES, withDialogs = true, withAxe = true }: Options = {},
): Promise<void> {
  const problems = new Set<string>()
  const { page } = stage
  const inspection: Inspection = { page, problems, languages, withAxe, opened: new Set() }
  await page.goto(`${stage.url}/_sandbox/console/`)
  await waitUntilLoaded(page)
  for (const address of addresses) {
    const title = address.slice(0, 60)
    await goTo(page, address)
    await checkState(inspection, title)
    if (withDialogs) await checkDialogs(inspection, title)
  }
  if (problems.size > 0) throw new Error([...problems].join('\n'))
}

/** The same for one address. */
export const inspect = (stage: Stage, address: string): Promise<void> => inspectAll(stage, [address])

/** The dialogs that buttons of the page open, once for each text of a button in a list or in its details. */
async function checkDialogs(inspection: Inspection, title: string): Promise<void> {
  const { page, languages, opened } = inspection
  const [, screen] = title.split(/[/?]/, 2)
  const buttons = page.locator('main [aria-haspopup=dialog]:visible')
  for (const language of languages.toReversed()) {
    await checkTexts(inspection, title, [language])
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => `${one.closest('.split-detail') ? one.baseURI : ''} ${(one as never as Shown).innerText}`),
    )
    for (const [n, name] of names.entries()) {
      const key = `${screen} ${language} ${name}`
      if (opened.has(key)) continue
      opened.add(key)
      await buttons.nth(n).click()
      await page.locator('dialog[open]').waitFor()
      await waitUntilLoaded(page)
      await checkState({ ...inspection, languages: [language] }, `${title}, dialog ${name}`)
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    }
  }
}

interface Shown {
  innerText: string
}

/** What the page shows now. It is wide again at the end, and in the first language. */
async function checkState(inspection: Inspection, title: string): Promise<void> {
  const { page, problems, languages, withAxe } = inspection
  // What is folded must be right, too.
  const unfold = "[...document.querySelectorAll('main details:not([open])')].map((one) => (one.open = true)).length"
  if ((await page.evaluate(unfold)) !== 0) await waitUntilLoaded(page)
  await page.setViewportSize(NARROW)
  await checkTexts(inspection, title, languages)
  await page.setViewportSize(WIDE)
  await checkTexts(inspection, title, languages.toReversed())
  // Axe sees elements and colours, which no language changes.
  if (withAxe && languages[0] === 'es') await checkThemes(page, title, problems)
}

async function checkTexts({ page, problems }: Inspection, title: string, languages: readonly Language[]) {
  const found = await page.evaluate<string[]>(`(${PROBLEMS_IN})(${JSON.stringify(languages)})`)
  for (const problem of found) problems.add(`${title}, ${page.viewportSize()!.width} px, ${problem}`)
}

async function checkThemes(page: Page, title: string, problems: Set<string>): Promise<void> {
  for (const [colorScheme, options] of THEMES) {
    await page.emulateMedia({ colorScheme })
    for (const problem of await axeProblems(page, options)) problems.add(`${title}, ${colorScheme}: ${problem}`)
  }
}

/**
 * In the page, in each language: values that are missing, characters that turn text, what is cut off, and what is more than
 * text. The language changes as by another tab, so that nothing is loaded again; components render after it has changed.
 */
const PROBLEMS_IN = String.raw`async (languages) => {
  const later = () => new Promise((done) => setTimeout(done, 5))
  const isIn = (box, { parentElement: parent }) =>
    parent === box || (getComputedStyle(parent).overflowX === 'visible' && isIn(box, parent))
  const cutOff = (box) => {
    const { right } = box.getBoundingClientRect()
    const beyond = [...box.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > right + 1 && isIn(box, one))
    const innermost = beyond.find((one) => !beyond.some((other) => other !== one && one.contains(other)))
    return box.scrollWidth - box.clientWidth + ' px are cut off: ' + innermost?.outerHTML.slice(0, 300)
  }
  const found = []
  for (const language of languages) {
    const { lang } = document.documentElement
    if (lang !== language) dispatchEvent(new StorageEvent('storage', { key: 'mercadito.language', newValue: language }))
    for (let n = 0; n < 1000 && document.documentElement.lang !== language; n++) await later()
    if (document.documentElement.lang !== language) throw new Error('the language stays ' + lang)
    if (lang !== language) await later()
    // Those whose key is a text are others now.
    for (const one of document.querySelectorAll('main details:not([open])')) one.open = true
    found.push(...problems().map((problem) => language + ': ' + problem))
  }
  return found

  function problems() {
    const text = document.body.innerText
    // A pattern that begins with .* takes the square of the length of a line.
    const around = (pattern) => {
      const match = pattern.exec(text)
      return match && text.slice(Math.max(0, match.index - 100), match.index + 100)
    }
    const dialog = document.querySelector('dialog[open]')
    const boxes = dialog ? [dialog] : document.querySelectorAll('html, main, .page, .split-list, .split-detail, .card')
    const foreign = 'script:not([src="console.app.js"]), main img, [onerror], [href^="javascript:"]'
    return [
      around(/\bundefined\b|\bNaN\b|\[object |Invalid Date/),
      around(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/),
      ...[...boxes].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(cutOff),
      document.scrollingElement.scrollWidth > innerWidth && 'the page is wider than the window',
      ...[...document.querySelectorAll(foreign)].map((one) => one.outerHTML),
      'hostile' in window && 'hostile code has run',
    ].filter(Boolean)
  }
}`
