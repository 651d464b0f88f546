import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAll } from './build.ts'
import { createReader, portsOf, SERVER } from './docs/commands.ts'
import { checkPages } from './docs/pages.ts'
import { checkPictures } from './docs/pictures.ts'
import { requireFree } from './docs/processes.ts'
import { checkReference } from './docs/reference.ts'
import { createReport } from './docs/report.ts'
import { enterOwnNetwork } from './own_network.ts'

// Checks the documentation: links, pictures, translations, completeness of the reference, and every command of the README,
// the tutorials and the guides, in YAML too; with `-- FILE` those of some pages. Translations are not run: they are compared
// with pages that are. Commands that need a PostgreSQL are run by test/cluster/docs.cluster.ts.

enterOwnNetwork()
const root = fileURLToPath(new URL('..', import.meta.url))
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/spec/**'] }).sort()
const RUN = /^(README\.md|docs\/(console\.md|install\.md|(tutorials|guides)\/))/

await requireFree(
  pages.filter((path) => RUN.test(path)).flatMap((path) => portsOf(readFileSync(join(root, path), 'utf8'))),
)

const report = createReport((text) => process.stdout.write(text))
await checkPages(root, pages, report)
await checkPictures(root, pages, report)
await buildAll()
const reader = createReader(root, report)
try {
  await report.check('npx mercadito --version', () => {
    const { status, stderr } = spawnSync('npx', ['mercadito', '--version'], { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  })
  await reader.serve()
  await checkReference(root, SERVER, report)
  const chosen = process.argv.slice(2)
  const texts = pages
    .filter((path) => (chosen.length > 0 ? chosen.includes(path) : RUN.test(path)))
    .map((page) => [page, readFileSync(join(root, page), 'utf8')] as const)
  // Pages that start a server of their own end the shared one.
  const endsShared = (text: string) => Number(portsOf(text).includes(4400))
  for (const [page, text] of texts.sort(([, a], [, b]) => endsShared(a) - endsShared(b)))
    await reader.follow(page, text)
} finally {
  await reader.close()
}
if (!report.close()) process.exitCode = 1
