import { prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'

const dataVersion = prepared((_: Q) => ({
  toSQL: () => ({ sql: 'SELECT data_version AS version FROM pragma_data_version', params: [] }),
}))

/** A number that changes whenever something is committed in a world: by others than who reads, so by its writer. */
export async function commitsOf({ read }: World): Promise<number> {
  const { version } = (await dataVersion(read).one()) as unknown as { version: number }
  return version
}
