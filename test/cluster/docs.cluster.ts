import { readFileSync } from 'node:fs'
import t from 'tap'
import { createReader, portsOf } from '../../tools/docs/commands.ts'
import { requireFree } from '../../tools/docs/processes.ts'
import { at, root } from '../../tools/root.ts'
import { startPostgres } from './postgres.ts'

const PAGE = 'docs/cluster.md'

t.test(`the commands of ${PAGE} work`, async (t) => {
  const text = readFileSync(at(PAGE), 'utf8')
  await requireFree(portsOf(text))
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  // The programs of PostgreSQL take what the page leaves out from the environment, and so do the servers.
  Object.assign(process.env, { PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGUSER: 'mercadito' })
  const reader = createReader(root, {
    check: async (title, run) => void (await t.test(title, async () => void (await run()))),
    skip: (title, reason) => t.comment(`${title}: ${reason}`),
  })
  try {
    await reader.follow(PAGE, text)
  } finally {
    await reader.close()
  }
})
