import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { defineCommand, printable } from '../../domains/shared/commands.ts'
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
  description: 'Write a recording: calls, and the state before them',
  args: [['<file>', 'file to write']],
  flags: [
    {
      flags: '--recording <file>',
      description: 'of this recording; default: what the running server has of the calls in memory',
    },
    FORCE,
  ],
  examples: ['requests save run.recording --recording run.jsonl', 'requests save run.recording'],
  async run({ client, args: [file], flags: { recording, force } }) {
    checkOutput(file, force)
    return replaceFile(file, async (tempFile) => {
      await withProgress(`save ${printable(file)}`, async () => {
        const lines = recording === undefined ? await client.stream('GET /recording') : await openRecording(recording)
        await compress(lines, tempFile)
        return undefined
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
