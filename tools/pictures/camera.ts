import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { at } from '../root.ts'

export const FOLDER = 'docs/pictures'
export const THEMES = ['light', 'dark'] as const
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }
/** Of 100: at the width of a page on GitHub, more cannot be seen. */
const QUALITY = 29

interface Camera {
  /** Stores the page in both themes. */
  shoot(name: string): Promise<void>
  /** Stores the page in both themes, as on a phone. */
  shootNarrow(name: string): Promise<void>
}

/** A camera that writes `docs/pictures/{language}/{name}.{theme}.webp`. */
export async function createCamera(page: Page, language: string): Promise<Camera> {
  const session = await page.context().newCDPSession(page)
  async function shoot(name: string): Promise<void> {
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      await untilStill(page)
      await store(session, `${FOLDER}/${language}/${name}.${theme}.webp`)
    }
  }
  await page.setViewportSize(WIDE)
  return {
    shoot,
    async shootNarrow(name) {
      await page.setViewportSize(NARROW)
      await shoot(name)
      await page.setViewportSize(WIDE)
    },
  }
}

/** Until nothing has changed in the document for `ms`. */
export const untilStill = (page: Page, ms = 500): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const wait = () => setTimeout(resolve, ${ms})
    let timer = wait()
    new MutationObserver(() => {
      clearTimeout(timer)
      timer = wait()
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })`)

async function store(session: CDPSession, path: string): Promise<void> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), Buffer.from(data, 'base64'))
}
