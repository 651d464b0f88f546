import type { Q } from '../../db/engine.ts'
import { isSeller } from '../users/queries.ts'
import { firstApplication, nonExpiringTokens } from './queries.ts'

/** A user with a token that does not expire. */
interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
}

/** Credentials with which a program can call a world. */
export interface Credentials {
  application: { id: number; secret: string; redirect_uri: string }
  sellers: Person[]
  buyers: Person[]
}

/** The first application of a world, and its users who have a token that does not expire. */
export async function readCredentials(q: Q): Promise<Credentials> {
  const { id, secret, redirect_uri } = (await firstApplication(q))!
  const people = await nonExpiringTokens(q)
  const peopleOf = (sellers: boolean): Person[] =>
    people
      .filter((person) => isSeller(person) === sellers)
      .map(({ id, site_id, nickname, token }) => ({ id, site_id, nickname, token }))
  return { application: { id, secret, redirect_uri }, sellers: peopleOf(true), buyers: peopleOf(false) }
}
