import type { Page } from 'playwright-core'
import { LANGUAGES, type Language } from '../../web/words/words.ts'
import { newProblems } from './axe.ts'
import { goTo } from './crawl.ts'
import { type Stage, waitUntilLoaded } from './stage.ts'

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }

interface Inspection {
  page: Page
  problems: Set<string>
  /** Dialogs of lists that stay beside their details. */
  opened: Set<string>
}

/** Inspects what the page shows. Each function adds what it finds, which `close` throws. */
export function createInspector({ page }: Stage) {
  const problems = new Set<string>()
  const inspection: Inspection = { page, problems, opened: new Set() }
  return {
    /**
     * In all languages, wide and narrow: nothing cut off, no value missing, and text of others is only text. In Spanish also
     * accessible, in both themes. Then the same for the dialogs that buttons of the page open.
     */
    async inspect(address: string, { withDialogs = true } = {}): Promise<void> {
      const title = address.slice(0, 60)
      await checkState(inspection, title)
      if (withDialogs) await checkDialogs(inspection, title)
    },
    /** Goes to addresses whose kinds were inspected, with other texts: in Spanish and narrow, where most is cut off. */
    async inspectSimilar(addresses: string[]): Promise<void> {
      await page.setViewportSize(NARROW)
      for (const address of addresses) {
        await goTo(page, address)
        await unfold(page)
        await checkTexts(inspection, address.slice(0, 60), ['es'])
        await checkElements(inspection, address.slice(0, 60))
      }
    },
    close() {
      if (problems.size > 0) throw new Error([...problems].join('\n'))
    },
  }
}

/** The dialogs that buttons of the page open, once for each text of a button in a list or in its details. */
async function checkDialogs(inspection: Inspection, title: string): Promise<void> {
  const { page, opened } = inspection
  const [, screen] = title.split(/[/?]/, 2)
  const buttons = page.locator('main [aria-haspopup=dialog]:visible')
  const names = await buttons.evaluateAll((all) =>
    all.map((one) => `${one.closest('.split-detail') ? one.baseURI : ''} ${(one as never as Shown).innerText}`),
  )
  for (const [n, name] of names.entries()) {
    const key = `${screen} ${name}`
    if (opened.has(key)) continue
    opened.add(key)
    await buttons.nth(n).click()
    await page.locator('dialog[open]').waitFor()
    await waitUntilLoaded(page)
    await checkState(inspection, `${title}, dialog ${name}`)
    // A change of the language must not close it.
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
}

interface Shown {
  innerText: string
}

/** What the page shows now. It is wide again at the end, and in the first language. */
async function checkState(inspection: Inspection, title: string): Promise<void> {
  const { page } = inspection
  await unfold(page)
  await page.setViewportSize(NARROW)
  await checkTexts(inspection, title, LANGUAGES)
  await page.setViewportSize(WIDE)
  await checkTexts(inspection, title, LANGUAGES.toReversed())
  // Axe sees elements and colours, which no language changes.
  await checkElements(inspection, title)
}

/** What is folded must be right, too. */
async function unfold(page: Page): Promise<void> {
  const count = "[...document.querySelectorAll('main details:not([open])')].map((one) => (one.open = true)).length"
  if ((await page.evaluate(count)) !== 0) await waitUntilLoaded(page)
}

async function checkTexts({ page, problems }: Inspection, title: string, languages: readonly Language[]) {
  const found = await page.evaluate<string[]>(`(${PROBLEMS_IN})(${JSON.stringify(languages)})`)
  for (const problem of found) problems.add(`${title}, ${page.viewportSize()!.width} px, ${problem}`)
}

async function checkElements({ page, problems }: Inspection, title: string): Promise<void> {
  for (const problem of await newProblems(page)) problems.add(`${title}, ${problem}`)
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
