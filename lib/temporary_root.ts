import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { createFolder } from '../db/folders.ts'

/** The parent of temporary worlds, below the system's temporary folder. Throws an Error. */
export function temporaryRoot(): string {
  const root = resolve(tmpdir(), `mercadito-worlds-${process.getuid?.() ?? 'all'}`)
  createFolder(root)
  // Another user who created it could read the worlds.
  if (process.getuid && statSync(root).uid !== process.getuid())
    throw Object.assign(new Error(`${root} belongs to another user; remove it`), { code: 'EPERM' })
  return root
}
