import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestApp } from '../../support/app.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/world.json', import.meta.url))

/** The example is loaded, and its export is loaded again. */
export async function worldFiles({ control, sellers }: TestApp): Promise<void> {
  await control(`PATCH /users/${sellers[0]!.id}`, { address: { city: 'Córdoba', zip_code: '5000' } })
  await control('GET /world')
  await control('PUT /world', readFileSync(EXAMPLE, 'utf8'))
  const { text } = await control('GET /world')
  await control('PUT /world', text)
  await control('GET /world')
  for (const change of [{ version: 2 }, { users: {} }, { users: [{ id: 'x' }] }, { nothing: [] }, {}])
    await control('PUT /world', { ...JSON.parse(text), ...change })
  await control('PUT /world', '{"version": 1, "users": [')
}
