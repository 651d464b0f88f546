// Does what `careful.mjs` does, and fails every drill: `mercadito drill run NAME -- node careless.mjs PART`.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const {
  MERCADITO_URL: url,
  MERCADITO_CLIENT_ID: client_id,
  MERCADITO_CLIENT_SECRET: client_secret,
  MERCADITO_SELLER_ID: seller,
} = process.env
let { MERCADITO_TOKEN: token, MERCADITO_REFRESH_TOKEN: refresh_token } = process.env

async function call(path, { method = 'GET', body } = {}) {
  for (let attempt = 1; ; attempt++) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const content = await answer.json()
    // Any error is tried again, at once.
    if (answer.ok || attempt === 5) return content
    // Each call renews the token by itself, whatever the reason of the 401 is.
    if (answer.status === 401 && refresh_token) {
      const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
      const renewed = await (await fetch(`${url}/oauth/token`, { method: 'POST', body: form })).json()
      if (renewed.access_token) ({ access_token: token, refresh_token } = renewed)
    }
  }
}

const answer = (id) =>
  call('/answers', { method: 'POST', body: { question_id: Number(id), text: '¡Hola! Sí, tenemos.' } })

const parts = {
  /** Only what was asked since its own clock said that it began. */
  async poll() {
    await Promise.all([1, 2, 3].map(() => call('/users/me')))
    const since = new Date().toISOString()
    for (let round = 0; round < 10; round++) {
      const { questions = [] } = await call(
        `/my/received_questions/search?status=UNANSWERED&date_created.from=${since}`,
      )
      for (const { id } of questions) await answer(id)
      await wait(50)
    }
  },

  async scan() {
    for (let scroll_id = ''; scroll_id !== null && scroll_id !== undefined; ) {
      ;({ scroll_id } = await call(`/questions/search?search_type=scan&limit=5&scroll_id=${scroll_id}`))
      await wait(100)
    }
  },

  async authorize() {
    const { MERCADITO_REDIRECT_URI: redirect_uri } = process.env
    const body = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, user_id: seller })
    for (let attempt = 0; attempt < 3; attempt++)
      await fetch(`${url}/authorization`, { method: 'POST', body, redirect: 'manual' })
  },

  async missed() {
    await call('/users/me')
  },

  async market() {
    await call('/sites/MLA/search?q=mate')
  },

  async listen(port) {
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      response.end()
      await answer(JSON.parse(text).resource.split('/').at(-1))
    }).listen(Number(port), '127.0.0.1')
    await wait(2500)
    server.close()
  },
}

await parts[process.argv[2]](process.argv[3])
