import { createHash, randomBytes } from 'node:crypto'

const { MERCADITO_URL: base, MERCADITO_CLIENT_ID: client_id, MERCADITO_CLIENT_SECRET: client_secret } = process.env
const { MERCADITO_REDIRECT_URI: redirect_uri, MERCADITO_SELLER_ID: user_id } = process.env

/** The address that the person opens, and what must be kept until they return. */
function beginLogin() {
  const state = randomBytes(16).toString('hex')
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = { response_type: 'code', client_id, redirect_uri, state, code_challenge, code_challenge_method: 'S256' }
  return { address: `${base}/authorization?${new URLSearchParams(query)}`, state, verifier }
}

async function requestTokens(parameters) {
  const body = new URLSearchParams({ client_id, client_secret, ...parameters })
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body })
  const answer = await response.json()
  if (!response.ok)
    throw Object.assign(new Error(`${answer.error}: ${answer.error_description}`), { code: answer.error })
  return answer
}

/** Keeps the tokens of one user. Calls that need new ones at the same time share one refresh. */
class Session {
  #tokens
  #refreshing
  constructor(tokens) {
    this.#tokens = tokens
  }
  async get(path) {
    const used = this.#tokens
    const send = () => fetch(base + path, { headers: { authorization: `Bearer ${this.#tokens.access_token}` } })
    const response = await send()
    if (response.status !== 401) return response
    if (this.#tokens === used) this.#refreshing ??= this.#refresh()
    await this.#refreshing
    return send()
  }
  async #refresh() {
    try {
      const { refresh_token } = this.#tokens
      // Store both tokens before they are used: the old refresh token no longer works.
      this.#tokens = await requestTokens({ grant_type: 'refresh_token', refresh_token })
      console.log('refreshed')
    } finally {
      this.#refreshing = undefined
    }
  }
}

// A person would open the address in a browser; a test picks the user with the same form.
const login = beginLogin()
const picked = await fetch(`${login.address}&user_id=${user_id}`, { method: 'POST', redirect: 'manual' })
if (picked.status !== 302) throw new Error(await picked.text())
const returned = new URL(picked.headers.get('location')).searchParams
if (returned.get('state') !== login.state) throw new Error('the answer belongs to another login')

const exchange = {
  grant_type: 'authorization_code',
  code: returned.get('code'),
  redirect_uri,
  code_verifier: login.verifier,
}
const tokens = await requestTokens(exchange)
const session = new Session(tokens)
console.log(`logged in as ${(await (await session.get('/users/me')).json()).nickname}`)

await requestTokens(exchange).catch(({ message }) => console.log(`the code again: ${message}`))

// Six hours later, for the world only.
await fetch(`${base}/_sandbox/clock/advance`, { method: 'POST', body: '{"by":"PT6H"}' })
const statuses = await Promise.all(['/users/me', '/users/me'].map(async (path) => (await session.get(path)).status))
console.log(`two calls after six hours: ${statuses}`)

const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
await requestTokens(again).catch(({ message }) => console.log(`the first refresh token again: ${message}`))
