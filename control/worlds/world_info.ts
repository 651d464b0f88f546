import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { type Credentials, readCredentials } from '../../domains/oauth/operations.ts'

/** Connection data of a world: base address, application, and users with their tokens. */
export interface WorldInfo extends Credentials {
  url: string
  world: { id: number; mode: Worlds['mode']; data: string | null }
}

type WorldStorage = Pick<Worlds, 'mode' | 'folder'>

export const readWorldInfo = async (url: string, { id, read }: World, storage: WorldStorage): Promise<WorldInfo> =>
  createWorldInfo(url, id, await readCredentials(read), storage)

export const createWorldInfo = (
  url: string,
  id: number,
  credentials: Credentials,
  { mode, folder }: WorldStorage,
): WorldInfo => ({
  url,
  world: { id, mode, data: mode === 'kept' ? folder : null },
  ...credentials,
})
