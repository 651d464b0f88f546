import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { createFolder } from '../db/folders.ts'

/** The parent of temporary worlds, below the system's temporary folder. Throws an Error. */
export function temporaryRoot(): string {
  const root = resolve(tmpdir(), `mercadito-worlds-${process.getuid?.() ?? 'all'}`)
  if (!lstatSync(root, { throwIfNoEntry: false })) createFolder(root)
  const stats = lstatSync(root)
  // Another user who created it could read the worlds, or have those of another folder removed.
  if (!stats.isDirectory()) throw Object.assign(new Error(`${root} is no folder; remove it`), { code: 'ENOTDIR' })
  if (process.getuid && stats.uid !== process.getuid())
    throw Object.assign(new Error(`${root} belongs to another user; remove it`), { code: 'EPERM' })
  return root
}
