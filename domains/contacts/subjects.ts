import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../http/errors/errors.ts'
import { OWNER_ONLY } from './assumptions.ts'
import { itemNotFound, userNotFound } from './errors.ts'
import { isUser, sellerOf } from './owner_cache.ts'
import type { Subject } from './queries.ts'

type ContactsCaller = Pick<FastifyRequest, 'world' | 'caller'>

/** The listings of a request; `field`: the parameter that names them. Throws 404 if any is unknown, before 403 for the listing of another seller. */
export async function itemSubjects(
  request: ContactsCaller,
  ids: string[],
  field: 'item_id' | 'ids',
): Promise<Subject[]> {
  const subjects = await Promise.all(
    ids.map(async (item_id) => {
      const user_id = await sellerOf(request.world, item_id)
      if (user_id === undefined) throw itemNotFound(field)
      return { item_id, user_id }
    }),
  )
  for (const { user_id } of subjects) requireOwner(request, user_id)
  return subjects
}

/** The seller of a request. Throws 404 if there is no such user. */
export async function userSubject(request: ContactsCaller, user_id: number): Promise<Subject> {
  if (!(await isUser(request.world, user_id))) throw userNotFound()
  requireOwner(request, user_id)
  return { user_id }
}

/** By default any caller may read any subject [spec: contacts.owner_only]. */
function requireOwner({ world, caller }: ContactsCaller, owner: number): void {
  if (OWNER_ONLY.of(world) === 'true' && caller?.user_id !== owner) throw forbidden('contacts.owner_only')
}
