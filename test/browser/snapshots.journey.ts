import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawl, goTo } from './crawl.ts'
import type { Journey, Stage } from './stage.ts'

const FOLDER = join(import.meta.dirname, 'snapshots')
const IS_UPDATE = process.argv.includes('--update')
const ITEM = 'MLA1400000001'

/** Something of everything, in a world whose time stands still. */
async function fillWorld({ control, api, info }: Stage): Promise<void> {
  const path = { id: info.application.id }
  await control.call('PUT /applications/{id}/notifications', { path, body: { callback_url: 'inbox:' } })
  const { id } = await control.call('POST /questions', { body: { item_id: ITEM, text: '¿Hay stock?' } })
  await control.call('POST /settle')
  await api('POST /answers', { question: id, text: 'Sí' })
  await api('POST /answers', { question_id: id, text: 'Sí' })
  await control.call('POST /settle')
  await control.call('POST /loans', { body: { item_id: ITEM } })
  await control.call('POST /clock/advance', { body: { by: '0s' }, snapshot: 'Adelantar' })
  await control.call('POST /faults', { body: { match: { path: '/sites' }, action: { status: 503 } } })
  await control.call('POST /snapshots', { body: { name: 'antes', label: 'Antes del pago' } })
}

/** What differs from run to run, and from machine to machine: real times, durations, sizes, versions. */
const MASKS: [RegExp, string][] = [
  [/\d\d:\d\d:\d\d\.\d(?!\d)/g, 'HH:MM:SS.S'],
  [/(?<=creado |term: Iniciado\n *- definition: )(hace \d+ \w+\.|ahora)/g, 'hace poco'],
  [/\d+ ms/g, 'N ms'],
  [/[\d.,]+ [KM]iB/g, 'N KiB'],
  [/(?<=term: (mercadito|Node|SQLite)\n *- definition: ).*/g, 'N'],
]
const mask = (tree: string): string => MASKS.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), tree)

/** The accessibility trees of each screen and of one of its details, as texts by the name of the screen. */
async function readTrees(stage: Stage): Promise<Map<string, string>> {
  const trees = new Map<string, string>()
  for (const [kind, [address]] of await crawl(stage)) {
    await goTo(stage.page, address!)
    const name = kind.split('/')[0] || 'overview'
    const tree = await stage.page.locator('main').ariaSnapshot()
    const text = `# ${kind || name}\n${mask(tree.replaceAll(stage.url, 'http://127.0.0.1:4400'))}\n`
    trees.set(name, (trees.get(name) ?? '') + text)
  }
  return trees
}

export const journeys: Journey[] = [
  {
    title: 'snapshots: the accessibility tree of each screen is the committed one',
    server: { scenario: 'quiet' },
    async run(stage) {
      await fillWorld(stage)
      const trees = await readTrees(stage)
      if (IS_UPDATE) {
        rmSync(FOLDER, { recursive: true, force: true })
        mkdirSync(FOLDER)
        for (const [name, text] of trees) writeFileSync(join(FOLDER, `${name}.yml`), text)
      }
      const files = globSync('*.yml', { cwd: FOLDER })
      const hint = 'after an intended change: npm run browser -- --update'
      assert.deepEqual(files.sort(), [...trees.keys()].map((name) => `${name}.yml`).sort(), hint)
      for (const [name, text] of trees)
        assert.equal(text, readFileSync(join(FOLDER, `${name}.yml`), 'utf8'), `${name}.yml, ${hint}`)
    },
  },
]
