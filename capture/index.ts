import { RecordingError, RecordingFile } from '../control/recording/file.ts'
import { createHeader } from '../control/recording/format.ts'
import { printable } from '../domains/shared/commands.ts'
import { CliError } from '../lib/cli/errors.ts'
import { toStartError } from '../lib/start_errors.ts'
import { CallLines } from './call_lines.ts'
import { startProxy } from './proxy.ts'
import { createUpstream } from './upstream.ts'

export interface RecordOptions {
  /** Base address. */
  upstream: string
  /** New file. */
  file: string
  /** Of the proxy. */
  port: number
  token: string | undefined
  allowWrites: boolean
  /** Certificates, PEM; undefined: those of Node. */
  trusted: string[] | undefined
}

export interface Summary {
  file: string
  calls: number
  /** Calls without an answer of the upstream. */
  failed: number
  /** Refused writes, by method and path. */
  refused: Record<string, number>
}

/** Starts a proxy that records. Throws a CliError if the file exists, or the port is taken. */
export async function startCapture(options: RecordOptions, onNotice: (text: string) => void) {
  const { upstream: base, file: path, port, token, allowWrites, trusted } = options
  const summary: Summary = { file: path, calls: 0, failed: 0, refused: {} }
  const file = createFile(path, onNotice)
  const upstream = createUpstream(base, trusted)
  const lines = new CallLines(token)
  file.write(createHeader('upstream', upstream.host))
  const proxy = await startProxy(port, {
    ...{ upstream, token, allowWrites },
    onCall(call, answer, ms) {
      file.write(lines.lineOf(call, answer, ms))
      summary.calls++
    },
    onFailed: () => void summary.failed++,
    onRefused(call) {
      summary.refused[call] = (summary.refused[call] ?? 0) + 1
    },
  }).catch(async (error) => {
    file.discard()
    throw await toStartError(error, { host: '127.0.0.1', port })
  })
  return {
    /** Base address for programs. */
    url: proxy.url,
    /** Resolves when the calls in flight are answered. */
    async close(): Promise<Summary> {
      await proxy.close()
      upstream.close()
      file.close()
      return summary
    },
  }
}

function createFile(path: string, onNotice: (text: string) => void): RecordingFile {
  try {
    return new RecordingFile(path, onNotice)
  } catch (error) {
    throw error instanceof RecordingError ? new CliError(printable(error.message)) : error
  }
}
