import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { at } from '../../tools/root.ts'
import { LANGUAGES } from '../../web/words/words.ts'
import { type Stage, waitUntilLoaded } from './stage.ts'

const AXE = readFileSync(at('node_modules/axe-core/axe.min.js'), 'utf8')
/** The first is that of other checks. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
]

/** Checks a screen in both themes, all languages, wide and narrow: accessible, nothing cut off, no value missing. */
export async function inspect({ page, open }: Stage, hash: string): Promise<void> {
  for (const language of LANGUAGES) {
    await open(hash)
    await page.evaluate(`localStorage.setItem('mercadito.language', '${language}')`)
    await page.reload()
    await waitUntilLoaded(page)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await checkTexts(page, `${hash}, ${language}, ${size.width} px`)
      if (language === LANGUAGES[0]) await checkThemes(page, `${hash}, ${size.width} px`)
    }
  }
  await page.evaluate("localStorage.removeItem('mercadito.language')")
  await page.setViewportSize(SIZES[0]!)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(hash)
}

async function checkTexts(page: Page, title: string): Promise<void> {
  const text = await page.locator('body').innerText()
  const [missing] = /.*(\bundefined\b|\bNaN\b|\[object |Invalid Date).*/.exec(text) ?? []
  if (missing !== undefined) throw new Error(`${title}: ${missing}`)
  const overflow: number = await page.evaluate(`['html', 'main']
    .map((name) => document.querySelector(name))
    .reduce((sum, { scrollWidth, clientWidth }) => sum + scrollWidth - clientWidth, 0)`)
  if (overflow > 0) throw new Error(`${title}: ${overflow} px are cut off`)
}

async function checkThemes(page: Page, title: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await axe(page, `${title}, ${colorScheme}`)
  }
}

/** Runs axe in an isolated world, because the page's policy rejects scripts of others. Throws what it finds. */
export async function axe(page: Page, title: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  await session.send('Runtime.evaluate', { expression: AXE, contextId })
  const run = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)).join('\\n'))`
  const { result } = await session.send('Runtime.evaluate', {
    ...{ expression: run, contextId },
    ...{ awaitPromise: true, returnByValue: true },
  })
  await session.detach()
  if (result.value !== '') throw new Error(`${title}: ${result.value ?? result.description}`)
}
