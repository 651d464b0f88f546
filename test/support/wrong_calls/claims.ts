import type { TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

const BASE = '/post-purchase/v1/claims'
const CLAIM = `${BASE}/:claim_id`

/** The routes of claims and returns. */
export async function claimCalls({ control, ...app }: TestApp): Promise<WrongCalls[]> {
  const { createParties, createUser } = questionFixtures({ control, ...app })
  const { seller, buyer, item } = await createParties()
  const stranger = await createUser()
  await control(`PATCH /items/${item}`, { available_quantity: 1000 })
  const claim = async (change?: object): Promise<number> => {
    const { body } = await control('POST /orders', { item_id: item, buyer: buyer.id })
    const { id } = (await control('POST /claims', { order_id: body.order.id })).body
    if (change) await control(`PATCH /claims/${id}`, change)
    return id
  }
  const [open, closed] = [await claim(), await claim({ status: 'closed' })]
  await control(`POST /claims/${open}/return`)
  const exclusive = {
    'param claim_id': 'an id that is none, or of no claim, belongs to no user',
    'state claim': 'an unknown claim belongs to no user',
    'param reason_id': 'an id that is none names no reason',
    'query type': 'a filter of a wrong form is a filter',
    'query range': 'a range is a filter',
    'query resource': 'half of a pair is a filter',
    token: 'a call without a valid token has no caller who could be another one',
  }
  const breaks: WrongCalls['breaks'] = {
    claim_exists: (call) => call.setParam('claim_id', 1),
    own_claim(call) {
      call.uses('param claim_id')
      call.setCaller(stranger)
    },
  }
  const read = (route: string, more: WrongCalls['breaks'] = {}): WrongCalls => ({
    ...{ route: `GET ${route}`, caller: seller, params: { claim_id: open }, exclusive },
    breaks: { ...breaks, ...more },
  })
  const act = (part: string, body?: Record<string, unknown>): WrongCalls => ({
    ...{ route: `POST ${CLAIM}/${part}`, caller: seller, ...(body && { body }), exclusive },
    breaks: {
      claim_exists: (call) => call.setState('claim', 'none'),
      own_claim(call) {
        call.setState('claim', 'any')
        call.setCaller(stranger)
      },
      action_available: (call) => call.setState('ended', true),
    },
    // A call that works ends the claim.
    async prepare(call) {
      const { claim: which, ended } = call.state
      call.fill('param', 'claim_id', which === 'none' ? 1 : ended ? closed : await claim())
    },
  })
  const set = (name: string, value: unknown) => (call: Draft) => call.setQuery(name, value)
  return [
    ...['', '/detail', '/messages', '/attachments', '/actions', '/actions-history', '/expected-resolutions'].map(
      (part) => read(`${CLAIM}${part}`),
    ),
    ...['/status-history', '/affects-reputation'].map((part) => read(`${CLAIM}${part}`)),
    read('/post-purchase/v2/claims/:claim_id/returns', { return_exists: (call) => call.setParam('claim_id', closed) }),
    act('actions/send-message', { receiver_role: 'complainant', message: 'x' }),
    act('actions/open-dispute'),
    ...['refund', 'allow-return'].map((part) => act(`expected-resolutions/${part}`)),
    act('expected-resolutions/partial-refund', { percentage: 10 }),
    {
      ...{ route: `GET ${BASE}/reasons/:reason_id`, caller: seller, params: { reason_id: 'PDD9944' }, exclusive },
      breaks: { reason_exists: (call) => call.setParam('reason_id', 'PDD1') },
    },
    {
      ...{ route: `GET ${BASE}/search`, caller: seller, query: { status: 'opened' }, exclusive },
      breaks: {
        query: set('limit', 'x!'),
        has_filter(call) {
          for (const name of ['resource', 'range']) call.uses(`query ${name}`)
          call.setQuery('status', undefined)
        },
        pairs: set('resource', 'order'),
        range: set('range', 'x'),
      },
    },
  ]
}
