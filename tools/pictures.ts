import { rmSync } from 'node:fs'
import { launchBrowser } from '../test/browser/chromium.ts'
import { type Journey, NOW, runJourneys, type Stage, waitUntilLoaded } from '../test/browser/stage.ts'
import { buildAll } from './build.ts'
import { createReport } from './docs/report.ts'
import { maskAnswers } from './pictures/answers.ts'
import { createCamera, FOLDER, untilStill } from './pictures/camera.ts'
import { startReceiver } from './pictures/receiver.ts'
import { addressOf, SCREENS } from './pictures/screens.ts'
import { begin, converse, fail, fillDay, subscribe } from './pictures/story.ts'
import { TEXTS } from './pictures/texts.ts'
import { at } from './root.ts'

// `npm run pictures` takes the pictures of the documentation: every screen of the console in English, two in all languages.
// Seed, clock and story are fixed, and what real time decides is masked: the same console gives the same files.

/** The port of the documentation, which the pictures show. */
const PORT = 4400

type Language = keyof typeof TEXTS

const journeyIn = (language: Language, locale: string): Journey => ({
  title: `pictures in ${language}`,
  port: PORT,
  context: { locale, timezoneId: 'UTC' },
  run: (stage) => takePictures(stage, language),
})

async function takePictures(stage: Stage, language: Language): Promise<void> {
  const { page, open } = stage
  const receiver = await startReceiver()
  try {
    await page.clock.setFixedTime(NOW)
    await page.addInitScript(maskAnswers)
    const camera = await createCamera(page, language)
    const story = await begin(stage, receiver, TEXTS[language])
    await open('#/start')
    await camera.shoot('start')
    await go(stage, '#/live')
    await subscribe(story)
    const cast = await converse(story)
    const take = async (screen: string) => {
      await go(stage, await addressOf(screen, story, cast))
      await camera.shoot(screen)
    }
    await take('live')
    if (language !== 'en') return
    await go(stage, '#/live')
    await page.locator('.phone summary').click()
    await camera.shootNarrow('narrow')
    await fail(story)
    await fillDay(story)
    for (const screen of SCREENS) if (screen !== 'start' && screen !== 'live') await take(screen)
  } finally {
    receiver.close()
  }
}

/** Opens an address without loading the page again. */
async function go({ page }: Stage, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await untilStill(page)
  await waitUntilLoaded(page)
}

const report = createReport((text) => process.stdout.write(text))
await buildAll()
const browser = await launchBrowser()
try {
  rmSync(at(FOLDER), { recursive: true, force: true })
  const journeys = [journeyIn('en', 'en-US'), journeyIn('es', 'es-AR'), journeyIn('pt', 'pt-BR')]
  await runJourneys(browser, report, { journeys })
} finally {
  await browser.close()
}
if (!report.close()) process.exitCode = 1
