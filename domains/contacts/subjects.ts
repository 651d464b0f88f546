import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../http/errors.ts'
import { OWNER_ONLY } from './assumptions.ts'
import { itemNotFound, userNotFound } from './errors.ts'
import { isUser, sellerOf } from './owner_cache.ts'
import type { Subject } from './queries.ts'

type ContactsCaller = Pick<FastifyRequest, 'world' | 'caller'>

/** The listings whose contacts are asked for; 404 when one of them is not there, whosever the others are. */
export async function itemSubjects(request: ContactsCaller, ids: string[]): Promise<Subject[]> {
  const subjects = await Promise.all(
    ids.map(async (item_id) => {
      const user_id = await sellerOf(request.world, item_id)
      if (user_id === undefined) throw itemNotFound()
      return { item_id, user_id }
    }),
  )
  for (const { user_id } of subjects) requireOwner(request, user_id)
  return subjects
}

/** The seller whose contacts are asked for; 404 when there is no such user. */
export async function userSubject(request: ContactsCaller, user_id: number): Promise<Subject> {
  if (!(await isUser(request.world, user_id))) throw userNotFound()
  requireOwner(request, user_id)
  return { user_id }
}

/** Any caller may read any subject, unless the switch says otherwise. */
function requireOwner({ world, caller }: ContactsCaller, owner: number): void {
  if (OWNER_ONLY.of(world) === 'true' && caller?.user_id !== owner) throw forbidden()
}
