import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { firstApplication, nonExpiringTokens } from '../../domains/oauth/queries.ts'
import { isSeller } from '../../domains/users/queries.ts'

interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
}

/** With what a program enters a world. */
export interface Credentials {
  application: { id: number; secret: string; redirect_uri: string }
  sellers: Person[]
  buyers: Person[]
}

export interface WorldInfo extends Credentials {
  /** The world's own base address. */
  url: string
  world: { id: number; mode: 'temporary' | 'kept'; data: string | null }
}

/** Where worlds are kept, if they are. */
export interface WorldStorage {
  mode: 'temporary' | 'kept'
  folder: string
}

/** All that a program needs to begin with a world: its address, its application, and people with their tokens. */
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

/** The first application, and people with their tokens. */
export async function readCredentials(q: Q): Promise<Credentials> {
  const { id, secret, redirect_uri } = (await firstApplication(q))!
  const people = await nonExpiringTokens(q)
  const peopleOf = (sellers: boolean): Person[] =>
    people
      .filter((person) => isSeller(person) === sellers)
      .map(({ id, site_id, nickname, token }) => ({ id, site_id, nickname, token }))
  return { application: { id, secret, redirect_uri }, sellers: peopleOf(true), buyers: peopleOf(false) }
}
