import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

// `node tools/nightly/other_date.ts [--date INSTANT] [--zone ZONE] -- npm test` runs a command, and all that it starts, as if it
// were another date, in another time zone. Clocks run. Needs faketime.

/** Two minutes before a new year of UTC, so that a year ends during the run; in the zone the date is another one. */
const DATE = '2027-12-31T23:58:00Z'
const ZONE = 'Pacific/Kiritimati'

const { values, positionals: command } = parseArgs({
  options: { date: { type: 'string', default: DATE }, zone: { type: 'string', default: ZONE } },
  allowPositionals: true,
})
const ahead = Math.round((Date.parse(values.date) - Date.now()) / 1000)
if (command.length === 0 || Number.isNaN(ahead))
  throw new Error('usage: other_date.ts [--date INSTANT] [--zone ZONE] -- COMMAND')

const offset = `${ahead < 0 ? '' : '+'}${ahead}s`
const child = spawn('faketime', ['-f', offset, ...command], {
  stdio: 'inherit',
  // Timers measure a time that does not jump.
  env: { ...process.env, TZ: values.zone, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
})
process.exitCode = await new Promise<number>((resolve, reject) =>
  child.on('error', reject).on('close', (code) => resolve(code ?? 1)),
)
