import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { build } from '../../app.ts'
import { handleSignals, shutDown } from '../../bin/shutdown.ts'
import { shareWorlds } from '../../cluster/index.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { migrationCount } from '../../db/migrate.ts'

// A server of the next version, whose worlds older ones cannot open. Takes the flags of test/cluster/nodes.ts.

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    advertise: { type: 'string' },
    database: { type: 'string' },
    lease: { type: 'string' },
    'admin-token': { type: 'string' },
  },
})
const { port, advertise, database, lease, 'admin-token': adminToken } = values as Record<string, string>
const signals = handleSignals(() => {})
const { server, listenOn } = await build({
  folder: createTemporaryFolder(tmpdir()),
  mode: 'temporary',
  sharing: shareWorlds({
    url: database!,
    leaseMs: Number.parseInt(lease!, 10),
    advertise: advertise!,
    format: migrationCount() + 1,
  }),
  scenario: 'demo',
  seed: 1,
  now: null,
  secret: true,
  adminToken,
  onFault: (error) => void process.stderr.write(`${error.stack}\n`),
})
await listenOn({ host: '127.0.0.1', port: Number(port) })
signals.onShutdown(() => shutDown(server))
process.stdout.write('{}\n')
