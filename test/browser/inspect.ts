import type { Page } from 'playwright-core'
import { LANGUAGES, type Language } from '../../web/words/words.ts'
import { axeProblems } from './axe.ts'
import { goTo } from './crawl.ts'
import { type Stage, waitUntilLoaded } from './stage.ts'

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }
const LOCALES: Record<Language, string> = { es: 'es-AR', pt: 'pt-BR', en: 'en-US' }
/** The themes with the options of axe: they differ only in colours. */
const THEMES = [
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
  ['light', {}],
] as const

interface Inspection {
  /** Default: all. */
  languages?: readonly Language[]
  /** Default: true. */
  withDialogs?: boolean
  /** Default: true. */
  withAxe?: boolean
}

/**
 * Checks addresses of the console in languages, wide and narrow, with the dialogs that they open: nothing cut off, no value
 * missing, and text of others is only text; in Spanish also accessible, in both themes. Throws all that it finds.
 */
export async function inspectAll(
  stage: Stage,
  addresses: string[],
  { languages = LANGUAGES, withDialogs = true, withAxe = true }: Inspection = {},
): Promise<void> {
  const problems = new Set<string>()
  const inspectIn = async (language: Language) => {
    const page = language === 'es' ? stage.page : await stage.openBrowser({ locale: LOCALES[language] })
    await page.goto(`${stage.url}/_sandbox/console/`)
    for (const address of addresses) {
      const title = `${address.slice(0, 60)} ${language}`
      await goTo(page, address)
      await checkTexts(page, title, problems)
      // Axe sees elements and colours, which no language changes.
      const check = withAxe && language === 'es' ? checkThemes : async () => {}
      await check(page, title, problems)
      if (withDialogs) await checkDialogs(page, title, problems, check)
    }
    if (language !== 'es') await page.context().close()
  }
  await Promise.all(languages.map(inspectIn))
  if (problems.size > 0) throw new Error([...problems].join('\n'))
}

/** The same for one address. */
export const inspect = (stage: Stage, address: string): Promise<void> => inspectAll(stage, [address])

/** The dialogs that buttons of the page open, once for each text of a button. */
async function checkDialogs(
  page: Page,
  title: string,
  problems: Set<string>,
  check: typeof checkThemes,
): Promise<void> {
  const buttons = page.locator('main [aria-haspopup=dialog]:visible')
  const names = await buttons.allInnerTexts()
  for (const name of new Set(names)) {
    await buttons.nth(names.indexOf(name)).click()
    await page.locator('dialog[open]').waitFor()
    await waitUntilLoaded(page)
    await checkTexts(page, `${title}, dialog ${name}`, problems)
    await check(page, `${title}, dialog ${name}`, problems)
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
}

async function checkTexts(page: Page, title: string, problems: Set<string>): Promise<void> {
  // What is folded must be right, too.
  await page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
  await waitUntilLoaded(page)
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size)
    const found: string[] = await page.evaluate(PROBLEMS)
    for (const problem of found) problems.add(`${title}, ${size.width} px: ${problem}`)
  }
}

async function checkThemes(page: Page, title: string, problems: Set<string>): Promise<void> {
  for (const [colorScheme, options] of THEMES) {
    await page.emulateMedia({ colorScheme })
    for (const problem of await axeProblems(page, options)) problems.add(`${title}, ${colorScheme}: ${problem}`)
  }
}

/** In the page: values that are missing, characters that turn text, what is cut off, and what is more than text. */
const PROBLEMS = String.raw`(() => {
  const lineWith = (pattern) => pattern.exec(document.body.innerText)?.[0].slice(0, 200)
  const missing = lineWith(/.*(?:\bundefined\b|\bNaN\b|\[object |Invalid Date).*/)
  const turned = lineWith(/.*[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069].*/)
  const isIn = (box, { parentElement: parent }) =>
    parent === box || (getComputedStyle(parent).overflowX === 'visible' && isIn(box, parent))
  const cutOff = (box) => {
    const { right } = box.getBoundingClientRect()
    const beyond = [...box.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > right + 1 && isIn(box, one))
    const innermost = beyond.find((one) => !beyond.some((other) => other !== one && one.contains(other)))
    return box.scrollWidth - box.clientWidth + ' px are cut off: ' + innermost?.outerHTML.slice(0, 300)
  }
  const dialog = document.querySelector('dialog[open]')
  const boxes = dialog ? [dialog] : document.querySelectorAll('html, main, .page, .split-list, .split-detail, .card')
  const foreign = 'script:not([src="console.app.js"]), main img, [onerror], [href^="javascript:"]'
  return [
    missing,
    turned,
    ...[...boxes].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(cutOff),
    document.scrollingElement.scrollWidth > innerWidth && 'the page is wider than the window',
    ...[...document.querySelectorAll(foreign)].map((one) => one.outerHTML),
    'hostile' in window && 'hostile code has run',
  ].filter(Boolean)
})()`
