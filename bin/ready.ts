import type { Worlds } from '../db/worlds.ts'
import { firstApplication, lastingTokens } from '../domains/oauth/queries.ts'

interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
}

export interface Ready {
  url: string
  world: { id: number; mode: 'temporary' | 'kept'; data: string | null }
  application: { id: number; secret: string; redirect_uri: string }
  sellers: Person[]
  buyers: Person[]
}

/** All that a program needs to begin: the address, the application, and people with their tokens. */
export async function ready(url: string, { home, mode, folder }: Worlds): Promise<Ready> {
  const { id, secret, redirect_uri } = (await firstApplication(home.read))!
  const people = await lastingTokens(home.read)
  const those = (sellers: boolean): Person[] =>
    people
      .filter(({ level_id }) => (level_id !== null) === sellers)
      .map(({ id, site_id, nickname, token }) => ({ id, site_id, nickname, token }))
  return {
    url,
    world: { id: home.id, mode, data: mode === 'kept' ? folder : null },
    application: { id, secret, redirect_uri },
    sellers: those(true),
    buyers: those(false),
  }
}
