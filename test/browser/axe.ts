import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { at } from '../../tools/root.ts'

const AXE = readFileSync(at('node_modules/axe-core/axe.min.js'), 'utf8')

/** What passes is not described, and no file of the page loaded again. */
const FAST = { resultTypes: ['violations'], preload: false }
/** Rules about colours, which take most of the time. */
const COLOURS = ['color-contrast', 'link-in-text-block']
const WITHOUT_COLOURS = { rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) }

const ROOT = "document.querySelector('dialog[open]') ?? document.documentElement"

/**
 * In the page: whether it shows an element of a new kind, by its path of tags and attributes. `known` gets the parts that
 * have none. Words of attributes are states; other values differ from one row to the next, as texts do.
 */
const FIND_NEW = `
  known = []
  function isNew(one, path) {
    const valueOf = ({ name, value }) => {
      if (name === 'class' || value === '' || /^[a-z]+$/.test(value)) return value
      return /^aria-(labelledby|describedby|controls)$/.test(name) && String(document.getElementById(value) !== null)
    }
    const attributes = [...one.attributes].map((attribute) => [attribute.name, valueOf(attribute)])
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const kind = JSON.stringify([path, one.localName, hasText, one.labels?.length, attributes])
    const isFirst = !kinds.has(kind)
    if (isFirst) kinds.set(kind, kinds.size)
    const children = [...one.children].filter((child) => child.checkVisibility())
    const others = children.filter((child) => !isNew(child, kinds.get(kind)))
    if (!isFirst && others.length === children.length) return false
    known.push(...others)
    return true
  }
  isNew(${ROOT})`

/**
 * In the page: whether texts have colours that none had in this theme, with the backgrounds on which they depend. What lies
 * under an opaque background does not count, and of sizes only whether axe takes them for large. `coloured` gets these texts.
 */
const FIND_NEW_COLOURS = `
  coloured = []
  before = new Set(colours)
  root = ${ROOT}
  function find(one, under, around) {
    const { color, backgroundColor, backgroundImage, opacity, position, fontSize, fontWeight } = getComputedStyle(one)
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1'
    const isOpaque = backgroundColor.startsWith('rgb(') && opacity === '1'
    const layer = isClear ? (position === 'static' ? '' : position) : [backgroundColor, backgroundImage, opacity].join()
    const layers = isOpaque ? layer : under.includes(layer) ? under : under + layer
    const hasText = one.labels || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const size = Number.parseFloat(fontSize) * 0.75
    const isLarge = size >= 18 || (size >= 14 && fontWeight >= 700)
    const colour = [color, one.localName === 'a' && around, isLarge, layers].join()
    if (hasText && root.contains(one) && !before.has(colour)) {
      colours.add(colour)
      coloured.push(one)
    }
    for (const child of one.children) if (child.checkVisibility()) find(child, layers, color)
  }
  find(document.body, '', '')
  coloured.length > 0`

const sessions = new WeakMap<Page, CDPSession>()

/** Kinds and colours that pages before have shown. */
const seen: Record<'kinds' | 'colours', string[]> = { kinds: [], colours: [] }
const recall = () => `
  kinds = new Map(${JSON.stringify(seen.kinds)}.map((kind, n) => [kind, n]))
  colours = new Set(${JSON.stringify(seen.colours)})`

async function remember(page: Page): Promise<void> {
  const { kinds, colours } = seen
  const more = `[[...kinds.keys()].slice(${kinds.length}), [...colours].slice(${colours.length})]`
  const [moreKinds, moreColours] = await evaluate<[string[], string[]]>(page, more)
  kinds.push(...moreKinds)
  colours.push(...moreColours)
}

/** Evaluates in an isolated world that has axe, because the page's policy rejects scripts of others. */
async function evaluate<T>(page: Page, expression: string): Promise<T> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  const loaded = await session.send('Runtime.evaluate', { expression: "'axe' in globalThis", contextId })
  if (!loaded.result.value) await session.send('Runtime.evaluate', { expression: `{ ${AXE} }${recall()}`, contextId })
  const options = { contextId, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, ...options })
  if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description}`)
  return result.value
}

const problemsIn = (page: Page, options: object, include: string, known = '[]'): Promise<string[]> =>
  evaluate(
    page,
    `axe.run({ include: ${include}, exclude: ${known} }, ${JSON.stringify({ ...FAST, ...options })}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 300) + ' ' + failureSummary)))`,
  )

/**
 * What axe finds in a page, or in the dialog that covers it, but for kinds of elements and, in both themes, colours of texts
 * that it has seen in this run.
 */
export async function newProblems(page: Page): Promise<string[]> {
  if (!(await evaluate(page, FIND_NEW))) return []
  const found = await problemsIn(page, WITHOUT_COLOURS, ROOT, 'known')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    if (!(await evaluate(page, FIND_NEW_COLOURS))) continue
    for (const problem of await problemsIn(page, { runOnly: COLOURS }, 'coloured'))
      found.push(`${colorScheme}: ${problem}`)
  }
  await remember(page)
  return found
}

/** Throws what axe finds in a page, or in the dialog that covers it, in both themes. */
export async function axe(page: Page, title: string): Promise<void> {
  const problems = await newProblems(page)
  if (problems.length > 0) throw new Error(`${title}: ${problems.join('\n')}`)
}
