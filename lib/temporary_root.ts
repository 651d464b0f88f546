import { mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

/** Where temporary worlds are: below the system's own, so that the sweep looks at nothing else. Throws an Error. */
export function temporaryRoot(): string {
  const root = resolve(tmpdir(), `mercadito-worlds-${process.getuid?.() ?? 'all'}`)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  // Whoever made it before us could read our worlds.
  if (process.getuid && statSync(root).uid !== process.getuid())
    throw Object.assign(new Error(`${root} belongs to somebody else; remove it`), { code: 'EPERM' })
  return root
}
