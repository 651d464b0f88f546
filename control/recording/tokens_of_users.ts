import type { Q } from '../../db/engine.ts'
import { allTokens } from '../../domains/oauth/world_file_queries.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { SecretNames } from './secrets.ts'

/** Names of the latest token of each user and application. */
export class TokensOfUsers {
  readonly #names: SecretNames
  readonly #tokens = new Map<string, string>()

  private constructor(names: SecretNames) {
    this.#names = names
  }

  static async read(q: Q, names: SecretNames): Promise<TokensOfUsers> {
    const tokens = new TokensOfUsers(names)
    // A token that does not expire stays the first choice.
    for await (const page of allTokens(q))
      for (const { token, user_id, application_id, expires_at } of page)
        if (expires_at === null || !tokens.nameOf(user_id, application_id))
          tokens.#tokens.set(`${user_id} ${application_id}`, names.nameOf('token', token))
    return tokens
  }

  nameOf(user_id: number | null, application_id: number | null): string | undefined {
    return this.#tokens.get(`${user_id} ${application_id}`)
  }

  /** The token that an OAuth call has answered. */
  add({ status, answer, body }: Entry): void {
    if (status !== 200 || !answer?.isComplete || !answer.text.startsWith('{"access_token"')) return
    const { access_token, user_id } = JSON.parse(answer.text) as { access_token: string; user_id: number }
    const [, application_id] = /client_id"?\s*[=:]\s*"?(\d+)/.exec(body?.text ?? '') ?? []
    if (application_id !== undefined && this.nameOf(user_id, Number(application_id)) === undefined)
      this.#tokens.set(`${user_id} ${application_id}`, this.#names.nameOf('token', access_token))
  }
}
