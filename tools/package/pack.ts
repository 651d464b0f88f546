import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../root.ts'
import { run } from '../run.ts'

export interface Packed {
  path: string
  /** Bytes. */
  size: number
  unpackedSize: number
  files: { path: string }[]
}

/** Packs a folder as `dist/mercadito-VERSION.tgz`. */
export function pack(source: string): Packed {
  const folder = at('dist')
  for (const name of globSync('mercadito-*.tgz', { cwd: folder })) rmSync(join(folder, name))
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source }))
  return { ...packed, path: join(folder, packed.filename) }
}
