import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { defineCommand, printable } from '../../domains/shared/commands.ts'
import { usageError } from '../../lib/cli/errors.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import { checkRecording, type Overview } from '../../replay/check.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'

interface Recording {
  file: string
  bytes: number
  calls: number
  /** What of their answers can be compared. */
  compared: Overview['comparisons']
}

export const saveCommand = defineCommand<Recording>({
  name: 'requests save',
  description: 'Check and compress a recording',
  args: [['<file>', 'file to write']],
  flags: [
    {
      flags: '--recording <file>',
      description: 'the recording, of `start --record` or `exec --record`',
    },
    FORCE,
  ],
  examples: ['requests save run.recording --recording run.jsonl'],
  run({ args: [file], flags: { recording, force } }) {
    if (recording === undefined) throw usageError('set the recording to compress with --recording')
    checkOutput(file, force)
    return replaceFile(file, async (tempFile) => {
      await withProgress(`save ${printable(file)}`, async () => {
        await compress(await openRecording(recording), tempFile)
      })
      const { calls, comparisons } = await checkRecording(tempFile)
      const { size: bytes } = await stat(tempFile)
      return { file, bytes, calls, compared: comparisons }
    })
  },
  format: ({ file, bytes, calls, compared: { whole, prefix, status, not } }) =>
    `wrote ${calls} calls to ${printable(file)} (${bytes} bytes): of ${whole} the whole answer can be compared, of ${prefix} its beginning, of ${status} its status, of ${not} nothing`,
})

/** A recording has no secrets: it is only compressed. */
async function openRecording(file: string): Promise<Readable> {
  const { isCompressed } = await checkRecording(file)
  const stream = createReadStream(file)
  return isCompressed ? stream.pipe(createGunzip()) : stream
}

const compress = (lines: Readable, file: string): Promise<void> =>
  pipeline(lines, createGzip({ level: 9 }), createWriteStream(file, { mode: 0o600 }))
