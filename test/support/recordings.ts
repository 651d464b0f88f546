import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Line } from '../../control/recording/format.ts'
import { start, type TestApp } from './app.ts'

/** A folder for recordings, which the test file removes. */
export function recordingFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-recording-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Records what `work` does with a server, which then ends. */
export async function recordRun(
  file: string,
  options: Parameters<typeof start>[1],
  work: (app: TestApp) => Promise<unknown>,
): Promise<void> {
  const ends: (() => unknown)[] = []
  const app = await start({ teardown: (end) => void ends.push(end) }, { scenario: 'empty', ...options, record: file })
  try {
    await work(app)
  } finally {
    for (const end of ends) await end()
  }
}

/** A new listing of the first seller. */
export const createListing = async ({ control, sellers }: TestApp): Promise<string> =>
  (await control('POST /items', { seller_id: sellers[0]!.id, title: 'Mate', price: 10 })).body.id
