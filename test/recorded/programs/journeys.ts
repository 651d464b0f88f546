import type { Person, TestApp } from '../../support/app.ts'

// Sequences of calls that clients and tests make.

const DATES = ['2026-03-01', '2026-03-07T15:00:00Z', '2026-03-01T09:30:00.000-04:00', '2025-12-01', 'x', '2026-02-30']

/** All statistics of a seller, with many windows. */
export async function contacts(app: TestApp): Promise<void> {
  for (const seller of app.sellers) {
    const items = [1, 2, 3].map((n) => `${seller.site_id}140000000${n}`)
    for (const kind of ['questions', 'phone_views', 'whatsapp'])
      for (const about of [`/items/${items[0]}`, `/users/${seller.id}`]) {
        const at = `${about}/contacts/${kind}`
        await seller.get(`${at}?date_from=2026-02-01&date_to=2026-03-08`)
        await seller.get(`${at}?date_from=2026-03-07T00:00:00Z&date_to=2026-03-07T15:00:00Z`)
        for (const [last, unit] of [
          [1, 'hour'],
          [24, 'hour'],
          [7, 'day'],
          [40, 'day'],
          [0, 'day'],
          [5, 'month'],
        ])
          await seller.get(`${at}/time_window?last=${last}&unit=${unit}`)
        await seller.get(`${at}/time_window?last=3&unit=day&ending=2026-02-20T12:00:00Z`)
        await seller.get(`${at}/time_window?last=3&unit=hour&ending=2026-03-07T14:00:00.000-04:00&order=desc`)
        await seller.get(`${at}/time_window?last=5&unit=day&order=asc`)
        await app.call(`${at}/time_window?last=2&unit=day`)
        await app.call(`${at}?date_from=2026-03-01&date_to=2026-03-08`)
        await seller.get(at)
      }
    for (const kind of ['questions', 'phone_views', 'whatsapp']) {
      await seller.get(`/items/contacts/${kind}/time_window?ids=${items}&last=4&unit=day`)
      await seller.get(`/items/contacts/${kind}/time_window?ids=${items[0]},MLA9,x&last=4&unit=hour`)
      await seller.get(`/items/contacts/${kind}/time_window?last=4&unit=hour`)
    }
  }
  const [seller] = app.sellers as [Person]
  for (const from of DATES)
    for (const to of DATES) await seller.get(`/users/${seller.id}/contacts/questions?date_from=${from}&date_to=${to}`)
}

/** Asking, answering, deleting, hiding, blocking, searching. */
export async function questions(app: TestApp): Promise<void> {
  for (const [n, seller] of app.sellers.entries()) {
    const [buyer, second] = [app.buyers[2 * n]!, app.buyers[2 * n + 1]!]
    const item = `${seller.site_id}1400000001`
    const ids: number[] = []
    for (const text of ['¿Tiene garantía?', 'a', '😀 one\u2028two', '<b>"\'\\', '', ' ', 'x'.repeat(2001)]) {
      const asked = await buyer.post('/questions', { item_id: item, text })
      if (asked.status === 201) ids.push(asked.body.id)
    }
    await second.post('/questions', { item_id: item, text: '¿Y envío?' })
    await second.post(`/questions/${item}`, { text: '¿Y envío hoy?' })
    await seller.post('/questions', { item_id: item, text: 'own' })
    await app.call({ method: 'POST', url: '/questions', payload: JSON.stringify({ item_id: item, text: 'x' }) })
    const [first, other, third, fourth] = ids as [number, number, number, number]
    await seller.post('/answers', { question_id: first, text: 'Sí, un año.' })
    await seller.post('/answers', { question_id: first, text: 'otra vez' })
    await buyer.post('/answers', { question_id: other, text: 'not mine' })
    await seller.delete(`/questions/${other}`)
    await seller.delete(`/questions/${other}`)
    for (const id of [...ids, 1]) {
      await app.call(`/questions/${id}`)
      for (const who of [seller, buyer, second]) {
        await who.get(`/questions/${id}`)
        await who.get(`/questions/${id}?api_version=4`)
      }
    }
    await seller.post('/my/questions/hidden', { question_ids: [third, fourth] })
    await seller.post('/my/questions/hidden', { questions_ids: [1] })
    await buyer.post('/my/questions/hidden', { question_ids: [third] })
    await seller.get('/my/questions/hidden')
    const list = `/users/${seller.id}/questions_blacklist`
    await seller.post(list, { user_id: buyer.id })
    await seller.post(list, { user_id: buyer.id })
    await seller.post(list, { user_id: 7 })
    await buyer.post('/questions', { item_id: item, text: '¿Me bloqueó?' })
    await seller.get(list)
    await seller.get(`${list}?limit=1&offset=1`)
    await buyer.get(list)
    await seller.delete(`${list}/${buyer.id}`)
    await seller.delete(`${list}/${buyer.id}`)
    await buyer.post('/questions', { item_id: item, text: '¿Ya no?' })
    for (const query of [
      '',
      'limit=3',
      'limit=0',
      'limit=101',
      'limit=2&offset=2',
      'offset=1001',
      'status=UNANSWERED&limit=5',
      'status=answered&limit=5',
      'status=DELETED',
      'status=x',
      `item=${item}&limit=3`,
      `item_id=${item}&limit=4&sort_fields=date_created&sort_types=ASC`,
      `from=${buyer.id}`,
      `seller_id=${seller.id}&sort_fields=item_id,from_id&sort_types=DESC,ASC&limit=6`,
      'sort_fields=x',
      'date_created.from=2026-03-01T00:00:00Z&date_created.to=2026-03-05T00:00:00Z&limit=4',
      'date_created.from=x',
      'api_version=4&limit=4',
      'attributes=questions,total&limit=2',
      'attributes=total',
    ])
      await seller.get(`/questions/search?${query}`)
    await buyer.get(`/questions/search?item=${item}&limit=5`)
    await app.call(`/questions/search?item=${item}&limit=5`)
    await app.call('/questions/search')
    await seller.get('/my/received_questions/search?limit=4')
    await seller.get('/my/received_questions/search?limit=2&status=UNANSWERED&api_version=4')
    let scroll = (await seller.get('/questions/search?search_type=scan&limit=4')).body?.scroll_id
    for (let page = 0; scroll && page < 4; page++)
      scroll = (await seller.get(`/questions/search?search_type=scan&limit=4&scroll_id=${scroll}`)).body?.scroll_id
    await seller.get('/questions/search?search_type=scan&scroll_id=x')
    await seller.get(`/users/${seller.id}/questions/response_time`)
    await buyer.get(`/users/${seller.id}/questions/response_time`)
    await app.call(`/users/${seller.id}/questions/response_time`)
  }
}

/** Searches and details of leads. */
export async function credits(app: TestApp): Promise<void> {
  for (const seller of app.sellers)
    for (const headers of [{}, { 'x-sandbox': 'true' }, { 'x-sandbox': 'false' }]) {
      const search = `/vis/loans/search?seller_id=${seller.id}`
      const dates = 'date_from=2026-02-08T00:00:00&date_to=2026-03-07T15:00:00'
      const found = await seller.get(`${search}&${dates}`, { headers })
      for (const more of [
        'status=all',
        'status=rejected&limit=2',
        'status=in_analysis&limit=3&offset=1',
        'status=x',
        'financial_entity_id=SANTANDER',
        `item_id=${seller.site_id}1400000001`,
        'limit=0',
        'limit=1000',
        'attributes=results',
      ])
        await seller.get(`${search}&${dates}&${more}`, { headers })
      await seller.get(`${search}&date_from=2025-01-01T00:00:00&date_to=2026-03-07T15:00:00`, { headers })
      await seller.get(`${search}&date_from=2025-12-01T00:00:00&date_to=2026-01-15T00:00:00&status=all`, { headers })
      await seller.get(search, { headers })
      for (const { id } of (found.body?.results ?? []).slice(0, 4)) {
        await seller.get(`/vis/loans/${id}?seller_id=${seller.id}`, { headers })
        await seller.get(`/vis/loans/${id}`, { headers })
        await app.buyers[0]!.get(`/vis/loans/${id}?seller_id=${seller.id}`, { headers })
      }
      await seller.get(`/vis/loans/fbcc4f10-3a4e-4adb-91ed-434b317a9f8b?seller_id=${seller.id}`, { headers })
      await seller.get(`/vis/loans/x?seller_id=${seller.id}`, { headers })
    }
  const brazilian = app.sellers.find(({ site_id }) => site_id === 'MLB')!
  for (const status of ['approved', 'rejected', 'in_analysis']) {
    const made = await app.control('POST /loans', { item_id: 'MLB1400000001', status, installments_number: 24 })
    const { id } = made.body
    await app.control(`GET /loans/${id}`)
    for (const change of [{ status: 'approved' }, { status: 'rejected' }, { expired: true }, { expired: false }, {}]) {
      await app.control(`PATCH /loans/${id}`, change)
      await brazilian.get(`/vis/loans/${id}?seller_id=${brazilian.id}`)
    }
  }
  await app.control('POST /clock/advance', { by: 'P31D' })
  for (const { id } of (await app.control(`GET /loans?seller_id=${brazilian.id}&limit=5`)).body.results)
    await brazilian.get(`/vis/loans/${id}?seller_id=${brazilian.id}`)
}

/** Codes, tokens, users. */
export async function oauth(app: TestApp): Promise<void> {
  const { id: client_id, secret: client_secret, redirect_uri } = app.application
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()
  const asked = { response_type: 'code', client_id, redirect_uri, state: 'a b&c' }
  await app.call(`/authorization?${form(asked)}`)
  await app.call(`/authorization?${form({ ...asked, redirect_uri: 'http://example.com/' })}`)
  await app.call(`/authorization?${form({ ...asked, client_id: 7 })}`)
  await app.call(`/authorization?${form({ ...asked, response_type: 'token' })}`)
  await app.call('/authorization')
  const codeOf = async (more: object = {}) => {
    const payload = form({ ...asked, user_id: seller.id, ...more })
    const { headers } = await app.call({ method: 'POST', url: '/authorization', payload })
    return new URL(String(headers.location ?? 'http://x/')).searchParams.get('code') ?? ''
  }
  const token = (fields: object, how: 'form' | 'json' | 'query' = 'form') =>
    how === 'query'
      ? app.call({ method: 'POST', url: `/oauth/token?${form(fields)}` })
      : app.call({
          method: 'POST',
          url: '/oauth/token',
          payload: how === 'json' ? JSON.stringify(fields) : form(fields),
          headers: { 'content-type': how === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' },
        })
  const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri }
  for (const how of ['form', 'json', 'query'] as const) {
    const code = await codeOf()
    await token({ ...grant, code, client_secret: 'x' }, how)
    await token({ ...grant, code, redirect_uri: 'http://x/' }, how)
    const { body } = await token({ ...grant, code }, how)
    await token({ ...grant, code }, how)
    const again = { grant_type: 'refresh_token', client_id, client_secret, refresh_token: body.refresh_token }
    const next = await token(again, how)
    await token(again, how)
    for (const one of [body.access_token, next.body.access_token])
      await app.call({ url: '/users/me', headers: { authorization: `Bearer ${one}` } })
    await app.call(`/users/me?access_token=${next.body.access_token}`)
  }
  const verifier = 'v'.repeat(43)
  for (const code_challenge_method of ['plain', 'S256', 'S512']) {
    const code = await codeOf({ code_challenge: verifier, code_challenge_method })
    await token({ ...grant, code, code_verifier: 'x' })
    await token({ ...grant, code, code_verifier: verifier })
  }
  await codeOf({ user_id: 7 })
  await token({})
  await token({ ...grant, grant_type: 'password' })
  const late = await codeOf()
  await app.control('POST /clock/advance', { by: 'PT11M' })
  await token({ ...grant, code: late })
  await app.control('POST /clock/advance', { by: 'PT7H' })
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${seller.token}` } })
  for (const site_id of ['MLA', 'MLB', 'MCO', 'x']) await buyer.post('/users/test_user', { site_id })
  for (const { id, token } of [...app.sellers, ...app.buyers]) {
    await app.call(`/users/${id}`)
    await app.call({ url: `/users/${id}`, headers: { authorization: `Bearer ${token}` } })
    await app.call({ url: '/users/me', headers: { authorization: `Bearer ${token}` } })
  }
  const made = await app.control('POST /tokens', { user_id: seller.id, expires_in: 60, refresh: true })
  await app.control('GET /tokens?limit=3')
  await app.control(`PATCH /tokens/${made.body.token}`, { expires_in: 0 })
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${made.body.token}` } })
  await app.control(`DELETE /tokens/${made.body.token}`)
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${made.body.token}` } })
}

/** Listings, currencies and sites. */
export async function items(app: TestApp): Promise<void> {
  for (const seller of app.sellers)
    for (let n = 1; n <= 26; n++) {
      const item = `${seller.site_id}14000000${String(n).padStart(2, '0')}`
      await app.call(`/items/${item}`)
      if (n % 5 === 0) await app.call(`/items/${item}?attributes=id,title,seller_address,nothing`)
      if (n % 8 === 0) await seller.get(`/items/${item}`)
    }
  await app.call('/items?ids=MLA1400000001,MLB1400000002,MLA9,x')
  await app.call('/items?ids=MLA1400000001,MLB1400000002&attributes=id,price')
  await app.call(`/items?ids=${Array.from({ length: 21 }, (_, n) => `MLA14000000${n + 10}`)}`)
  await app.call('/items?ids=')
  await app.call('/items')
  await app.sellers[0]!.get('/items?ids=MLA1400000001', { method: 'PUT' })
  await app.call('/currencies')
  for (const id of ['ARS', 'BRL', 'CLP', 'ars', 'XXX']) await app.call(`/currencies/${id}`)
  await app.call('/sites')
  for (const id of ['MLA', 'MSV', 'mla', 'XXX']) await app.call(`/sites/${id}`)
}
