import type { Answer, Person, TestApp } from '../../support/app.ts'

const FLEX = 736_230
const TURBO = 736_231
/** All fields of a configuration. */
const CONFIGURATION = `{
  address { id address_line zip_code city { id name } }
  subscription {
    site_id user_id service_id status { id } creation_date
    training_times { original { value unit } remaining { value unit } activation_date }
  }
  delivery_window is_moderated working_days radius disabled_features
  delivery_ranges {
    week { from to capacity calculated_cutoff et_hour type processing_time }
    saturday { from to capacity calculated_cutoff et_hour type processing_time }
    sunday { from to capacity calculated_cutoff et_hour type processing_time }
  }
  zones {
    enabled id is_mandatory label neighborhoods selected
    price { cents currency_id decimal_separator fraction symbol }
  }
  availables { capacity_range { from to } cutoff ranges accurate_ranges { from to } radius_range { from to } }
}`
const SOME =
  '{ delivery_window working_days radius delivery_ranges { week { from to capacity } } zones { id selected } }'

const path = ({ site_id, id }: Person, service: number) =>
  `/shipping/flex/sites/${site_id}/users/${id}/services/${service}/configuration`

const put = (who: Person, url: string, body: unknown): Promise<Answer> =>
  who.get(url, { method: 'PUT', payload: JSON.stringify(body) })

/** Subscriptions, configuration, settings, Flex of listings, drivers of shipments. */
export async function flex(app: TestApp): Promise<void> {
  for (const seller of app.sellers) {
    const { site_id, id } = seller
    const ask = (query: string, more: object = {}, who: Person = seller) =>
      who.post(`/shipping/flex/sites/${site_id}/configuration/v3`, { query, ...more })
    const of = (service: number, fields = CONFIGURATION) =>
      `{ configuration(user_id: ${id}, service_id: ${service}) ${fields} }`
    const found = await seller.get(`/shipping/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    await seller.get(`/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    await app.buyers[0]!.get(`/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    const services = Array.isArray(found.body) ? found.body.map((one: { service_id: number }) => one.service_id) : []
    for (const service of new Set([...services, FLEX, TURBO, 1])) {
      await ask(of(service))
      await ask(of(service, '{ availables { cutoff } }'))
      await ask(of(service, '{ __typename radius }'))
      await ask(of(service, '{ nothing }'))
      await ask(of(service), {}, app.buyers[0]!)
      const at = path(seller, service)
      const week = [{ from: 14, to: 21, capacity: 80, cutoff: 13 }]
      const saturday = [{ from: 10, to: 14, capacity: 20, cutoff: 12 }]
      await put(seller, `${at}/delivery/custom/v3`, {
        delivery_window: 'same_day',
        delivery_ranges: { week, saturday },
      })
      await ask(of(service, SOME))
      await put(seller, `${at}/delivery/custom/v3`, { delivery_window: 'next_day', delivery_ranges: { week } })
      await put(seller, `${at}/delivery/custom/v3`, { delivery_ranges: { week: [{ from: 21, to: 14 }] } })
      await put(seller, `${at}/delivery/custom/v3`, {})
      const ranges = [10, 11, 12].map((from) => ({ from, to: from + 2, capacity: 20 }))
      await put(seller, `${at}/delivery/accurate/v3`, { delivery_ranges: { week: ranges } })
      await put(seller, `${at}/delivery/accurate/v3`, { delivery_ranges: { week: ranges.slice(1) } })
      await put(seller, `${at}/coverage/radius/v3`, { radius: 5000 })
      await put(seller, `${at}/coverage/radius/v3`, { radius: 1 })
      await put(seller, `${at}/coverage/zone/v3`, { zones: ['CABA', 'CABA_Sur', 'GBA_Norte'].map((id) => ({ id })) })
      await put(seller, `${at}/coverage/zone/v3`, { zones: [{ id: 'x' }] })
      await put(app.buyers[0]!, `${at}/coverage/zone/v3`, { zones: [{ id: 'CABA' }] })
      await ask(of(service))
    }
    const variables = { user: id, service: FLEX }
    const named =
      'query Q($user: Int!, $service: Int!) { a: configuration(user_id: $user, service_id: $service) { ...F } }'
    await ask(`${named} fragment F on Configuration { radius delivery_window }`, { variables, operationName: 'Q' })
    await ask(`${named} fragment F on Configuration { radius }`, { variables: {} })
    for (const query of ['', '{', '{ x }', '{ __schema { types { name } } }', 'mutation { x }']) await ask(query)
    for (const n of [1, 9, 12, 14, 24, 99]) {
      const item = `${site_id}14000000${String(n).padStart(2, '0')}`
      for (const at of [
        `/sites/${site_id}/shipping/selfservice/items/${item}`,
        `/flex/sites/${site_id}/items/${item}/v2`,
      ])
        for (const method of ['GET', 'POST', 'GET', 'POST', 'DELETE', 'GET', 'DELETE'] as const)
          await seller.get(at, { method })
      await app.call(`/items/${item}?attributes=id,status,shipping,tags`)
    }
    for (const n of [1, 3, 7, 12, 13])
      for (const version of ['v1', 'v2']) {
        const shipment = 43_000_000_000 + 12 * app.sellers.indexOf(seller) + n
        await seller.get(`/flex/sites/${site_id}/shipments/${shipment}/assignment/${version}`)
        await app.call(`/flex/sites/${site_id}/shipments/${shipment}/assignment/${version}`)
      }
  }
}
