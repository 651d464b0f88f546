import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeDocuments } from './openapi.ts'

// `npm run generate` writes everything that is generated and committed: a migration when the tables have changed
// (arguments such as `--name reviews` go to drizzle-kit), and the documents of `npm run openapi`.

const { status, error } = spawnSync('node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
})
if (error) throw error
if (status !== 0) process.exit(1)
await writeDocuments()
