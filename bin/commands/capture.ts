import type { RecordOptions, Summary } from '../../capture/index.ts'
import { type Flags, integer, printable, type Setting } from '../../domains/shared/commands.ts'
import { readTrusted } from '../../lib/cli/client_tls.ts'
import { usageError } from '../../lib/cli/errors.ts'
import { localCommand } from '../command.ts'
import { ca, upstream } from '../settings.ts'
import { waitForSignal } from '../shutdown.ts'

const FLAGS: Setting[] = [
  {
    flags: '--token-from-env <name>',
    description: 'environment variable with the access token that is sent with calls that have none',
  },
  {
    flags: '--readonly',
    description: 'refuse calls that may change something: the default',
    conflicts: ['allowWrites'],
  },
  { flags: '--allow-writes', description: 'send calls that may change something, too' },
  { flags: '--output <file>', description: 'write the calls to this new file', defaultValue: 'upstream.jsonl' },
  {
    flags: '--port <number>',
    description: 'port of the proxy on 127.0.0.1; 0: a free one',
    defaultValue: 4401,
    parse: integer(0, 65_535),
  },
]

/** Records the calls of a program to another server, without secrets and personal data. */
export const addCapture = localCommand<Summary>({
  name: 'capture',
  description: 'Record calls to the real service, or to any server, for compare',
  settings: [ca],
  flags: [upstream, ...FLAGS],
  examples: [
    'capture --upstream https://api.mercadolibre.com --token-from-env ML_TOKEN --readonly',
    'capture --upstream http://127.0.0.1:4400 --port 0 --output calls.jsonl',
  ],
  more: `Give your program the printed address as its base address. Calls go on to the upstream, and into the file without tokens
and personal data: both are replaced before anything is written. Ctrl-C ends.`,
  async run({ flags, terminal: { err } }) {
    if (flags.upstream === undefined)
      throw usageError('--upstream or MERCADITO_CAPTURE_UPSTREAM: is required, such as https://api.mercadolibre.com')
    // Lazy: a server that starts does not need it.
    const { startCapture } = await import('../../capture/index.ts')
    const token = readToken(flags.tokenFromEnv)
    const recording = await startCapture(toOptions(flags, token), (text) => err(`mercadito: ${printable(text)}\n`))
    err(`recording ${flags.upstream} to ${printable(flags.output)}\n`)
    err(`base address for your program: ${recording.url}\n`)
    await waitForSignal()
    return recording.close()
  },
  format: formatSummary,
})

/** The value is never shown. */
function readToken(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const token = process.env[name]
  const failed = (why: string) => usageError(`--token-from-env: the environment variable ${printable(name)} ${why}`)
  if (token === undefined) throw failed('is not set')
  if (token === '') throw failed('is empty')
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) throw failed('must be a token without blanks')
  return token
}

const toOptions = (
  { upstream, output, port, allowWrites = false, ca }: Flags,
  token: string | undefined,
): RecordOptions => ({
  ...{ upstream, file: output, port, allowWrites, token },
  trusted: ca === undefined ? undefined : readTrusted(ca),
})

function formatSummary({ file, calls, failed, refused }: Summary): string {
  return [
    ...Object.entries(refused).map(
      ([call, n]) => `refused ${n} × ${printable(call)}: it may change something (--allow-writes)`,
    ),
    ...(failed > 0 ? [`${failed} calls got no answer, and are not recorded`] : []),
    `recorded ${calls} calls in ${printable(file)}`,
  ].join('\n')
}
