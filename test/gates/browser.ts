import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../../tools/build.ts'
import { createReport } from '../../tools/docs/report.ts'
import { at, root } from '../../tools/root.ts'
import { launchBrowser } from '../browser/chromium.ts'
import { checkDocs } from '../browser/docs.ts'
import { runJourneys } from '../browser/stage.ts'

// `npm run browser` uses `/docs` and every screen of the console in Chromium; `npm run browser -- docs requests` some of
// them. `--update` writes test/browser/snapshots/ again, `--slow` delays what pages get, and opens every form of `/docs`. A
// script, not a test, because it needs Chromium.

const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false }, slow: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = values.update ? ['snapshots'] : positionals
const isWanted = (name: string) => names.length === 0 || names.includes(name)
const report = createReport((text) => process.stdout.write(text))
await buildAll()
const browser = await launchBrowser()
try {
  for (const path of globSync('test/browser/*.journey.ts', { cwd: root }).sort())
    if (isWanted(basename(path, '.journey.ts'))) await runJourneys(browser, report, await import(at(path)), values.slow)
  if (isWanted('docs')) await checkDocs(browser, report, values.slow)
} finally {
  await browser.close()
}
if (!report.close()) process.exitCode = 1
