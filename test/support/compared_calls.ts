import type { TestApp } from './app.ts'
import { readsOfSale } from './compared_sale.ts'
import { CONFIGURATION_FIELDS, configurationQuery } from './flex.ts'

export interface ReadCall {
  path: string
  method?: string
  /** Index of the seller whose token is sent; default: 0, null: none. */
  seller?: number | null
  headers?: Record<string, string>
  body?: string
}

const KINDS = ['questions', 'phone_views', 'whatsapp']
const KEYS = ['item_id', 'seller_id', 'from_id', 'date_created']

/** Reads of every domain, also with errors. `now`: real time, ms. */
export async function readCalls(app: TestApp, now: number): Promise<ReadCall[]> {
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
  const calls: ReadCall[] = [
    ...['/sites', '/sites/MLA', '/sites/XXX', '/currencies', '/currencies/ARS', '/nothing/here'].map((path) => ({
      path,
    })),
    ...['/users/7', '/users/x', '/items/MLA1', '/items/x', '/questions/1'].map((path) => ({ path })),
    ...['/users/me', '/questions/search', '/missed_feeds'].map((path) => ({ path, seller: null })),
    { path: '/users/me', headers: { authorization: 'Bearer APP_USR-1-010203-abcdef-77777' } },
    ...['/items/MLA1400000001', '/users/me', '/questions', '/users/1/items/search'].map((path) => ({
      path,
      method: 'OPTIONS',
    })),
    { path: '/items/MLA1400000001', method: 'HEAD' },
    { path: '/items/MLA1400000001?callback=show&attributes=id,price' },
    ...(await readsOfSale(app.sellers[0]!)),
    { path: `/missed_feeds?app_id=${app.application.id}` },
    { path: `/missed_feeds?app_id=${app.application.id + 1}` },
  ]
  for (const [n, seller] of app.sellers.slice(0, 2).entries()) {
    const { id, site_id } = seller
    const items = [1, 2, 3].map((n) => `${site_id}140000000${n}`)
    const found = (await seller.get('/questions/search?limit=3')).body.questions as {
      id: number
      from: { id: number }
    }[]
    const add = (...paths: string[]) => calls.push(...paths.map((path) => ({ path, seller: n })))
    add('/users/me', `/users/${id}`, `/users/${app.buyers[0]!.id}`, ...items.map((item) => `/items/${item}`))
    add(`/items?ids=${items},MLA9,x`, `/items?ids=${items[0]}&attributes=id,status`, '/items?ids=')
    const [item] = items
    add(`/items/${item}?include_attributes=all`, `/items/${item}/variations`, `/items/${item}/description`)
    add(`/items/${item}/descriptions`, `/items/${item}/prices`, `/items/${item}/variations/1`)
    add(`/sites/${site_id}/search?seller_id=${id}&limit=2`, '/orders/1', '/packs/1', '/collections/1', '/pictures/1')
    add(`/orders/search?seller=${id}&limit=2`, `/users/${id}/order_blacklist`, '/orders/search?seller=x')
    add(
      '/post-purchase/v1/claims/1',
      '/post-purchase/v1/claims/search?status=opened',
      '/post-purchase/v1/claims/search',
    )
    add(`/users/${id}/items/search`, `/users/${id}/items/search?limit=2&offset=1`, `/users/${id}/items/search?status=x`)
    add(
      `/users/${app.sellers[3]!.id}/items/search`,
      '/users/me?attributes=id',
      `/users/me?access_token=${seller.token}`,
    )
    add('/questions/search', '/questions/search?limit=3', '/questions/search?limit=0', '/questions/search?limit=101')
    add(
      '/questions/search?limit=5&offset=5',
      '/questions/search?status=UNANSWERED',
      '/my/received_questions/search?limit=4',
    )
    add(
      `/questions/search?item=${items[0]}`,
      `/questions/search?seller_id=${app.sellers[3]!.id}`,
      '/questions/search?status=x',
    )
    add(`/questions/search?from=${found[0]!.from.id}&seller_id=${id}`, '/questions/search?search_type=scan&limit=7')
    for (const key of KEYS) add(`/questions/search?sort_fields=${key}&sort_types=ASC&limit=4&item=${items[1]}`)
    add(...found.flatMap((one) => [`/questions/${one.id}`, `/questions/${one.id}?api_version=4`]))
    add('/my/questions/hidden', `/users/${id}/questions_blacklist`, `/users/${id}/questions/response_time`)
    add(`/users/${app.sellers[3]!.id}/questions_blacklist`, `/users/${app.sellers[3]!.id}/questions/response_time`)
    const subscriptions = `/shipping/flex/sites/${site_id}/users/${id}/subscriptions/v1`
    add(
      subscriptions,
      `/flex/sites/${site_id}/users/${id}/subscriptions/v1`,
      `/flex/sites/MLV/users/${id}/subscriptions/v1`,
    )
    for (const { service_id } of (await seller.get(subscriptions)).body)
      calls.push({
        ...{ path: `/shipping/flex/sites/${site_id}/configuration/v3`, method: 'POST', seller: n },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: configurationQuery(id, service_id, `{ ${CONFIGURATION_FIELDS.join(' ')} }`) }),
      })
    add(`/sites/${site_id}/shipping/selfservice/items/${items[0]}`, `/flex/sites/${site_id}/items/${items[1]}/v2`)
    add(
      `/flex/sites/${site_id}/shipments/43000000001/assignment/v1`,
      `/flex/sites/${site_id}/shipments/7/assignment/v2`,
    )
    // Contacts and leads are alike on all sites.
    if (n > 0) continue
    for (const kind of KINDS) {
      for (const subject of [`/items/${items[0]}`, `/users/${id}`]) {
        const at = `${subject}/contacts/${kind}`
        add(`${at}?date_from=${day(-30)}&date_to=${day(1)}`, `${at}?date_from=x&date_to=${day(1)}`, at)
        add(
          `${at}/time_window?last=7&unit=day`,
          `${at}/time_window?last=30&unit=hour`,
          `${at}/time_window?last=0&unit=day`,
        )
        add(`${at}/time_window?last=3&unit=day&ending=${day(-5)}&order=desc`)
        calls.push({ path: `${at}/time_window?last=2&unit=day`, seller: null })
      }
      add(
        `/items/contacts/${kind}/time_window?ids=${items}&last=4&unit=day`,
        `/items/contacts/${kind}/time_window?ids=x&last=4&unit=day`,
      )
    }
    const loans = `/vis/loans/search?seller_id=${id}&date_from=${day(-60)}T00:00:00&date_to=${day(1)}T00:00:00`
    const leads = (await seller.get(`${loans}&status=all`)).body.results as { id: string }[]
    add(loans, `${loans}&status=all`, `${loans}&limit=1`, `${loans}&status=x`, `/vis/loans/search?seller_id=7`)
    add(...leads.slice(0, 4).map((lead) => `/vis/loans/${lead.id}?seller_id=${id}`))
    add(`/vis/loans/5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2?seller_id=${id}`, `/vis/loans/x?seller_id=${id}`)
    calls.push({ path: `${loans}&status=all`, seller: n, headers: { 'x-sandbox': 'true' } })
  }
  return calls
}
