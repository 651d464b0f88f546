import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { printable } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import { type Language, languageOf } from './languages.ts'

const MAX_FILE_BYTES = 1024 * 1024
/** Of all sources: more would take longer than five seconds. */
const MAX_BYTES = 8 * 1024 * 1024
/** Longer lines are written by programs. */
const MAX_LINE = 5000
const SKIPPED =
  /^(?:\..*|node_modules|vendor|dist|build|target|bin|obj|out|venv|env|site-packages|__pycache__|coverage|bower_components|Pods)$/

/** The sources below a folder, one after the other; counts those left out. Follows no links. Throws a CliError. */
export async function* sourcesOf(folder: string, skipped: { files: number }) {
  let bytes = 0
  for await (const file of filesOf(folder)) {
    const { size } = await stat(file)
    const isRead = size <= MAX_FILE_BYTES && bytes + size <= MAX_BYTES && !/[.-]min\.\w+$/.test(file)
    const text = isRead ? await readFile(file, 'utf8') : '\0'
    bytes += isRead ? size : 0
    // Binary, minified or bundled.
    if (text.includes('\0') || text.split('\n').some((line) => line.length > MAX_LINE)) skipped.files++
    else yield { file: relative(folder, file).replaceAll('\\', '/'), language: languageOf(file) as Language, text }
  }
}

async function* filesOf(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`cannot read ${printable(folder)} (${error.code})`)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (SKIPPED.test(entry.name)) continue
    if (entry.isDirectory()) yield* filesOf(path)
    else if (entry.isFile() && languageOf(entry.name)) yield path
  }
}
