import type { FastifyRequest } from 'fastify'
import { foreignData } from '../../plugins/errors.ts'
import { itemNotFound, userNotFound } from './errors.ts'
import { isUser, sellerOf } from './known.ts'
import type { Subject } from './queries.ts'

type Asking = Pick<FastifyRequest, 'world' | 'caller'>

/** The listings whose contacts are asked for; 404 when one of them is not there, whosever the others are. */
export async function itemSubjects(asking: Asking, ids: string[]): Promise<Subject[]> {
  const subjects = await Promise.all(
    ids.map(async (item_id) => {
      const user_id = await sellerOf(asking.world, item_id)
      if (user_id === undefined) throw itemNotFound()
      return { item_id, user_id }
    }),
  )
  for (const { user_id } of subjects) refuseForeign(asking, user_id)
  return subjects
}

/** The seller whose contacts are asked for; 404 when there is no such user. */
export async function userSubject(asking: Asking, user_id: number): Promise<Subject> {
  if (!(await isUser(asking.world, user_id))) throw userNotFound()
  refuseForeign(asking, user_id)
  return { user_id }
}

/** Any caller may read any subject, unless the world is told otherwise. */
function refuseForeign({ world, caller }: Asking, owner: number): void {
  if (world.switches['contacts.owner_only'] === 'true' && caller?.user_id !== owner) throw foreignData()
}
