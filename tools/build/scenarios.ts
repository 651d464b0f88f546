import { writeFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { generate } from '../../scenarios/generate.ts'
import { SCENARIOS, SHIPPED_SEED } from '../../scenarios/names.ts'
import { at } from '../root.ts'

// Writes the files of the shipped scenarios; runs as a bundle of its own.

const params = { [constants.ZSTD_c_compressionLevel]: 9 }
for (const name of SCENARIOS)
  writeFileSync(at(`dist/assets/${name}.sqlite.zst`), zstdCompressSync(await generate(name, SHIPPED_SEED), { params }))
