import { readFileSync } from 'node:fs'
import { getRawAsset, isSea } from 'node:sea'

/**
 * What the build made beside the program: migrations, scenarios, documents. The path is the same from source and
 * bundle; a single executable has them inside. Throws when the build has not been run. Nobody may write to the bytes:
 * in an executable they are the file's own pages.
 */
export const asset = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(new URL(`../dist/assets/${name}`, import.meta.url))
