import { writeFileSync } from 'node:fs'
import { fileOf, generate } from '../../scenarios/generate.ts'
import { SCENARIOS, SHIPPED_SEED } from '../../scenarios/names.ts'
import { MARK, pack, STORED_LATER } from '../../scenarios/shipped.ts'
import { at } from '../root.ts'

// Writes the files of the shipped scenarios; runs as a bundle of its own.

for (const name of SCENARIOS) {
  const rows = await generate(name, SHIPPED_SEED)
  const files = [STORED_LATER, STORED_LATER + MARK].map((later) => fileOf(rows, later)) as [Buffer, Buffer]
  writeFileSync(at(`dist/assets/${name}.sqlite.zst`), pack(...files))
}
