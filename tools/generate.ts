import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { at, root } from './root.ts'

// `npm run generate` writes everything that is generated and committed: a migration when the tables have changed
// (arguments such as `--name reviews` go to drizzle-kit), the modules and documents of `npm run openapi`, and the requests of
// examples/http and examples/postman.

run('node_modules/.bin/drizzle-kit', 'generate', ...process.argv.slice(2))
// A migration is made from the newest snapshot of the tables only.
for (const path of globSync(at('db/migrations/meta/*_snapshot.json')).sort().slice(0, -1)) rmSync(path)
// In this order, each in its own process: the second one loads the modules that the first one writes.
run(process.execPath, 'tools/roster.ts')
run(process.execPath, 'tools/openapi.ts')
// From the document that this has written.
run(process.execPath, 'tools/requests.ts')

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(1)
}
