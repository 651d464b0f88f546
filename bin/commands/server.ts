import { defineCommand, fields, table } from '../../domains/shared/commands.ts'

interface Server {
  version: string
  node: string
  sqlite: string
  started_at: string
  uptime_s: number
  mode: string
  data: string | null
  flags: { name: string; value: unknown; source: string }[]
  limits: Record<string, number>
}

export const serverCommand = defineCommand<Server>({
  name: 'server',
  description: 'Show version, start, settings and limits of a running server',
  examples: ['server', 'server --json'],
  run: ({ client: { server } }) => server.call('GET /server'),
  format: ({ flags, limits, ...server }) => [
    fields({ ...server, data: server.data ?? 'temporary worlds' }),
    '',
    table(
      ['setting', 'value', 'from'],
      flags.map(({ name, value, source }) => [name, value, source]),
    ),
    '',
    fields(limits),
  ],
})
