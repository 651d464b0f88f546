import type { FastifyInstance } from 'fastify'
import type { World } from '../../db/world.ts'
import { findOrIssueToken } from '../../domains/oauth/operations.ts'
import { firstApplication } from '../../domains/oauth/queries.ts'
import { listUsers, userById } from '../../domains/users/queries.ts'
import type { CallContext } from '../../http/errors/checks.ts'
import { type InternalAnswer, sendInternally } from '../../http/internal_request.ts'
import type { Paths } from '../../http/paths.ts'
import { type CallModel, type CallUser, matchCall, memberOf, sentValue, writeCall } from './call_model.ts'

/** Tries calls on a copy of a world. A call that is refused changes nothing, so that one copy serves for several. */
export class Session {
  readonly paths: Paths
  readonly #app: Pick<FastifyInstance, 'routing'>
  readonly #copy: World
  readonly #number: number
  readonly #tokens = new Map<string, string>()

  constructor(app: Pick<FastifyInstance, 'routing'>, paths: Paths, copy: World, number: number) {
    this.#app = app
    this.paths = paths
    this.#copy = copy
    this.#number = number
  }

  get world(): World {
    return this.#copy
  }

  async send(call: CallModel): Promise<InternalAnswer> {
    const token = call.token.user ? await this.#tokenOf(call.token.user) : undefined
    const { method, url, headers, body } = writeCall(call, token, false)
    return sendInternally(this.#app, { method, url, headers, body, world: this.#number })
  }

  /** What the functions that find values know of a call. */
  contextOf(call: CallModel): CallContext {
    const { route } = matchCall(this.paths, call)
    return {
      q: this.#copy.read,
      world: this.#copy,
      caller: call.token.user ?? undefined,
      sent: (name) =>
        (route?.url.split('/').includes(`:${name}`) ? sentValue(route, call, 'path', name) : undefined) ??
        sentValue(route, call, 'query', name) ??
        memberOf(call.body, name) ??
        call.headers[name],
    }
  }

  /** Those of some ids that are users, with the application of the call or the first one. */
  async #callersOf(call: CallModel, ids: readonly number[]): Promise<CallUser[]> {
    const application_id = call.token.user?.application_id ?? (await firstApplication(this.#copy.read))?.id
    if (application_id === undefined) return []
    const users = await Promise.all(
      ids.map((id) => (Number.isSafeInteger(id) ? userById(this.#copy.read, id) : undefined)),
    )
    return users.flatMap((user) => (user ? [{ user_id: user.id, application_id }] : []))
  }

  /** Users to try as callers: owners of the data, users that the call names, then the first seller and the first buyer. */
  async likelyCallers(call: CallModel): Promise<CallUser[]> {
    const context = this.contextOf(call)
    const { route } = matchCall(this.paths, call)
    const owners = (await route?.config?.checks?.callers?.(context)) ?? []
    const named = ['user_id', 'seller_id'].map((name) => Number(context.sent(name)))
    return this.#callersOf(call, [...new Set([...owners, ...named, ...(await this.#firstUsers())])])
  }

  async #firstUsers(): Promise<number[]> {
    const first = async (kind: 'seller' | 'buyer') =>
      (await listUsers(this.#copy.read, { kind }, { limit: 1, offset: 0 })).rows.map(({ id }) => id)
    return [...(await first('seller')), ...(await first('buyer'))]
  }

  async #tokenOf(user: CallUser): Promise<string> {
    const key = `${user.user_id} ${user.application_id}`
    const known = this.#tokens.get(key)
    if (known !== undefined) return known
    const token = await findOrIssueToken(this.#copy, user)
    this.#tokens.set(key, token)
    return token
  }
}
