import type { World } from '../../db/world.ts'
import { firstApplication, lastingTokens } from '../oauth/queries.ts'
import { isSeller } from '../users/queries.ts'

interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
}

export interface Ready {
  /** The world's own base address. */
  url: string
  world: { id: number; mode: 'temporary' | 'kept'; data: string | null }
  application: { id: number; secret: string; redirect_uri: string }
  sellers: Person[]
  buyers: Person[]
}

/** Where worlds are kept, if they are. */
export interface Keeping {
  mode: 'temporary' | 'kept'
  folder: string
}

/** All that a program needs to begin with a world: its address, its application, and people with their tokens. */
export async function ready(url: string, world: World, { mode, folder }: Keeping): Promise<Ready> {
  const { id, secret, redirect_uri } = (await firstApplication(world.read))!
  const people = await lastingTokens(world.read)
  const those = (sellers: boolean): Person[] =>
    people
      .filter((person) => isSeller(person) === sellers)
      .map(({ id, site_id, nickname, token }) => ({ id, site_id, nickname, token }))
  return {
    url,
    world: { id: world.id, mode, data: mode === 'kept' ? folder : null },
    application: { id, secret, redirect_uri },
    sellers: those(true),
    buyers: those(false),
  }
}
