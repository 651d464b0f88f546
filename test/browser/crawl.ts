import type { Page } from 'playwright-core'
import { type Stage, waitUntilLoaded } from './stage.ts'

/** Addresses of the console by the kind of page that they open, such as `requests` and its details, with a `*`. */
export type Kinds = Map<string, string[]>

/** Addresses of a kind that are stored. */
const MAX_SIMILAR = 2

/**
 * Goes to the screens of the menu, and to one address of each kind that their pages link to. Runs something at each, which
 * leaves the page there.
 */
export async function crawl(
  { page, url }: Stage,
  visit: (address: string, kind: string) => Promise<void>,
): Promise<Kinds> {
  await page.goto(`${url}/_sandbox/console/`)
  await waitUntilLoaded(page)
  const kinds: Kinds = new Map()
  const add = async (selector: string) => {
    const links = page.locator(`${selector} a[href^="#/"]`)
    for (const address of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!))) {
      const similar = kinds.get(kindOf(address)) ?? []
      kinds.set(kindOf(address), similar)
      if (!similar.includes(address) && similar.length < MAX_SIMILAR) similar.push(address)
    }
  }
  await add('.sidebar')
  // It grows meanwhile.
  for (const [kind, [address]] of kinds) {
    await goTo(page, address!)
    await add('main')
    await visit(address!, kind)
  }
  return kinds
}

/** Names of the screens, without their details. */
export const screensOf = (kinds: Kinds): string[] => [...kinds.keys()].filter((kind) => !kind.includes('/'))

/** Goes to another address of the console in an open page. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
  await waitUntilLoaded(page)
}

/** `#/requests/17?status=4xx` → `requests/*`. Words name parts of a screen, all else is a number or a name. */
const kindOf = (address: string): string =>
  address
    .replace(/\?(pick|table)?.*/, '/$1')
    .split('/')
    .slice(1)
    .filter(Boolean)
    .map((segment) => (/^[a-z]+$/.test(segment) ? segment : '*'))
    .join('/')
