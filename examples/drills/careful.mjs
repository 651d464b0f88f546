// Answers questions, and passes every drill: `mercadito drill run NAME -- node careful.mjs PART`.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const {
  MERCADITO_URL: url,
  MERCADITO_CLIENT_ID: client_id,
  MERCADITO_CLIENT_SECRET: client_secret,
  MERCADITO_SELLER_ID: seller,
} = process.env
let { MERCADITO_TOKEN: token, MERCADITO_REFRESH_TOKEN: refresh_token } = process.env

class Stop extends Error {}

/** Calls that wait for a new token share one exchange. */
let exchange
function renew() {
  exchange ??= (async () => {
    if (!refresh_token) throw new Stop('the token is not valid any more; authorize the application again')
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
    const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    if (!answer.ok) throw new Stop('the grant has ended; authorize the application again')
    ;({ access_token: token, refresh_token } = await answer.json())
  })().finally(() => {
    exchange = undefined
  })
  return exchange
}

async function call(path, { method = 'GET', body, allowed = [] } = {}) {
  for (let attempt = 1; ; attempt++) {
    const used = token
    const headers = { authorization: `Bearer ${used}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const content = await answer.json()
    if (answer.ok || allowed.includes(answer.status)) return { ...content, code: answer.status }
    if (answer.status === 429 && attempt <= 5) await wait(attempt * 600)
    else if (content.error === 'unauthorized_scopes') throw new Stop('the application is blocked')
    else if (answer.status === 401 && attempt <= 2) {
      if (used === token) await renew()
    } else throw new Error(`${path}: ${answer.status} ${JSON.stringify(content)}`)
  }
}

/** Reads the question first: it may have been answered since. */
async function answer(id) {
  const question = await call(`/questions/${id}`)
  if (question.status !== 'UNANSWERED') return
  await call('/answers', {
    method: 'POST',
    body: { question_id: Number(id), text: '¡Hola! Sí, tenemos.' },
    allowed: [400],
  })
}

const parts = {
  /** Asks for open questions again and again, without a time of its own: the clocks may differ. */
  async poll() {
    await Promise.all([1, 2, 3].map(() => call('/users/me')))
    for (let round = 0; round < 30; round++) {
      const { questions } = await call(
        '/my/received_questions/search?status=UNANSWERED&sort_fields=DATE_CREATED_DESC&limit=1',
      )
      for (const { id } of questions) await answer(id)
      await wait(50)
    }
  },

  /** A scroll_id that has expired begins the scan again. */
  async scan() {
    for (let scroll_id = ''; scroll_id !== null; ) {
      const page = await call(`/questions/search?search_type=scan&limit=5&scroll_id=${scroll_id}`, { allowed: [400] })
      scroll_id = page.code === 400 ? '' : page.scroll_id
      await wait(100)
    }
  },

  async authorize() {
    const { MERCADITO_REDIRECT_URI: redirect_uri } = process.env
    const body = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, user_id: seller })
    const answer = await fetch(`${url}/authorization`, { method: 'POST', body, redirect: 'manual' })
    if (answer.status !== 302) throw new Stop(`not authorized: ${(await answer.json()).error}`)
  },

  async missed() {
    const { messages } = await call(`/missed_feeds?app_id=${client_id}`)
    for (const { resource } of messages) await answer(resource.split('/').at(-1))
  },

  /** The public search is closed: the seller’s own listings are not. */
  async market() {
    const { code } = await call('/sites/MLA/search?q=mate', { allowed: [403] })
    if (code === 403) await call(`/users/${seller}/items/search`)
  },

  /** Receives notifications at the port, for two seconds. */
  async listen(port) {
    const known = new Set()
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      response.end()
      const { resource } = JSON.parse(text)
      if (known.has(resource)) return
      known.add(resource)
      await answer(resource.split('/').at(-1))
    }).listen(Number(port), '127.0.0.1')
    await wait(2500)
    server.close()
  },
}

try {
  await parts[process.argv[2]](process.argv[3])
} catch (error) {
  if (!(error instanceof Stop)) throw error
  console.error(error.message)
  process.exitCode = 1
}
