import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawl } from './crawl.ts'
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
  [/(?<=→ \d{3}, |why"\n *- time: )\d\d:\d\d:\d\d/g, 'HH:MM:SS'],
  [/(?<=por minuto: )[^"]+/g, 'N'],
  [/\d\d:\d\d – \d\d:\d\d UTC/g, 'HH:MM – HH:MM UTC'],
  [/\d+ ms/g, 'N ms'],
  // Of the rows of Live: buttons of the clock stay.
  [/(?<=HH:MM:SS\.S |text: )[+−][\d.,]+ (?:d|h|min)(?!\w)/g, '±N d'],
  [/[\d.,]+ [KM]iB/g, 'N KiB'],
  [/(?<=term: (mercadito|Node|SQLite)\n *- definition: ).*/g, 'N'],
]
const mask = (tree: string): string => MASKS.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), tree)

/** The lines in which a tree differs from that of its screen; `…` counts those that both begin or end with. */
function linesOf(tree: string, screen: string | undefined): string {
  if (screen === undefined) return tree
  const [lines, others] = [tree.split('\n'), screen.split('\n')]
  const common = Math.min(lines.length, others.length)
  let head = 0
  while (head < common && lines[head] === others[head]) head++
  let tail = 0
  while (tail < common - head && lines.at(-1 - tail) === others.at(-1 - tail)) tail++
  return [`… ${head} lines`, ...lines.slice(head, lines.length - tail), `… ${tail} lines`].join('\n')
}

/** The accessibility trees of each screen and of its details, as texts by the name of the screen. */
async function readTrees(stage: Stage): Promise<Map<string, string>> {
  const trees = new Map<string, string>()
  const screens = new Map<string, string>()
  await crawl(stage, async (_, kind) => {
    const name = kind.split('/')[0] || 'overview'
    // Rows read their last attempt once they have been in sight for a while.
    if (kind === 'webhooks')
      await stage.page
        .getByRole('row')
        .filter({ hasText: / de 10.*200/ })
        .nth(4)
        .waitFor()
    const snapshot = await stage.page.locator('main').ariaSnapshot()
    const tree = mask(snapshot.replaceAll(stage.url, 'http://127.0.0.1:4400'))
    trees.set(name, `${trees.get(name) ?? ''}# ${kind || name}\n${linesOf(tree, screens.get(name))}\n`)
    if (!screens.has(name)) screens.set(name, tree)
  })
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
