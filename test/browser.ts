import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { buildAll } from '../tools/build.ts'
import { createReport } from '../tools/docs/report.ts'
import { launchBrowser } from './browser/chromium.ts'
import { checkDocs } from './browser/docs.ts'
import { runJourneys } from './browser/stage.ts'

// `npm run browser` uses `/docs` and every screen of the console in Chromium; `npm run browser -- docs requests` some of
// them. `npm run browser -- --update` writes test/browser/snapshots/ again. A script, not a test, because it needs Chromium.

const given = process.argv.slice(2)
const names = given.includes('--update') ? ['snapshots'] : given
const isWanted = (name: string) => names.length === 0 || names.includes(name)
const report = createReport((text) => process.stdout.write(text))
await buildAll()
const browser = await launchBrowser()
try {
  for (const path of globSync('browser/*.journey.ts', { cwd: import.meta.dirname }).sort())
    if (isWanted(basename(path, '.journey.ts'))) await runJourneys(browser, report, await import(`./${path}`))
  if (isWanted('docs')) await checkDocs(browser, report)
} finally {
  await browser.close()
}
if (!report.close()) process.exitCode = 1
