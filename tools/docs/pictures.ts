import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { FOLDER, THEMES } from '../pictures/camera.ts'
import { SCREENS } from '../pictures/screens.ts'
import { picturesOf } from './markdown.ts'
import type { Report } from './report.ts'

const GUIDE = 'docs/console.md'
const MAX_BYTES = 1_500_000

/** Checks that the pictures that pages show exist, that the guide to the console shows every screen, and their size. */
export async function checkPictures(root: string, pages: string[], { check }: Report): Promise<void> {
  const shownOn = (page: string) =>
    picturesOf(readFileSync(join(root, page), 'utf8')).map((path) => normalize(join(dirname(page), path)))
  const shown = new Set(pages.flatMap(shownOn))
  const none = (wrong: string[]) => {
    if (wrong.length > 0) throw new Error(wrong.join(', '))
  }
  const stored = globSync(`${FOLDER}/**/*.webp`, { cwd: root })

  await check('every picture that a page shows exists', () =>
    none([...shown].filter((path) => !existsSync(join(root, path)))),
  )
  await check(`every picture of ${FOLDER} is shown`, () => none(stored.filter((path) => !shown.has(path))))
  await check(`${GUIDE} shows every screen of the console, in both themes`, () => {
    const here = new Set(shownOn(GUIDE))
    const wanted = SCREENS.flatMap((screen) => THEMES.map((theme) => `${FOLDER}/en/${screen}.${theme}.webp`))
    none(wanted.filter((path) => !here.has(path)))
  })
  await check(`the pictures have at most ${MAX_BYTES} bytes`, () => {
    const bytes = stored.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
    if (bytes > MAX_BYTES) throw new Error(`they have ${bytes}`)
  })
}
