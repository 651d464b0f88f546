import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { at } from '../../tools/root.ts'

const AXE = readFileSync(at('node_modules/axe-core/axe.min.js'), 'utf8')

/** What passes is not described, and no file of the page loaded again. */
const FAST = { resultTypes: ['violations'], preload: false }

const sessions = new WeakMap<Page, CDPSession>()

/**
 * What axe finds in a page, or in the dialog that covers it. Runs in an isolated world, because the page's policy rejects
 * scripts of others.
 */
export async function axeProblems(page: Page, options: object = {}): Promise<string[]> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  const loaded = await session.send('Runtime.evaluate', { expression: "'axe' in globalThis", contextId })
  if (!loaded.result.value) await session.send('Runtime.evaluate', { expression: `{ ${AXE} }`, contextId })
  const run = `axe.run(document.querySelector('dialog[open]') ?? document, ${JSON.stringify({ ...FAST, ...options })})`
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${run}.then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 300) + ' ' + failureSummary)))`,
    ...{ contextId, awaitPromise: true, returnByValue: true },
  })
  if (!Array.isArray(result.value)) throw new Error(`axe: ${result.description}`)
  return result.value
}

/** Throws what axe finds. */
export async function axe(page: Page, title: string): Promise<void> {
  const problems = await axeProblems(page)
  if (problems.length > 0) throw new Error(`${title}: ${problems.join('\n')}`)
}
