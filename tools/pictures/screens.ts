import { readFileSync } from 'node:fs'
import { at } from '../root.ts'
import type { Cast, Story } from './story.ts'

/** The folders of all screens of the console. */
export const SCREENS = [...readFileSync(at('web/screens/index.ts'), 'utf8').matchAll(/^ +{ name: '(\w*)',/gm)]
  .map(([, name]) => name || 'overview')
  .sort()

/** Where a screen shows more than its list. */
const DETAILS: Record<string, (story: Story, cast: Cast) => Promise<string> | string> = {
  overview: () => '',
  live: ({ item }, { refused }) => `live?item=${item.id}&pick=r${refused}`,
  listings: ({ item }) => `listings/${item.id}`,
  users: ({ seller }) => `users/${seller.id}`,
  questions: (_, { question }) => `questions/${question}`,
  requests: (_, { refused }) => `requests/${refused}/why`,
  webhooks: (_, { retried }) => `webhooks/${retried}`,
  statistics: ({ seller, item }) => `statistics/${seller.id}?item=${item.id}&days=1`,
  flex: async ({ control, seller }) => {
    const { results } = await control.call('GET /flex/subscriptions', { query: { user_id: seller.id } })
    return `flex/${seller.id}/${results[0]!.service_id}`
  },
  orders: async ({ control, seller }) => {
    const { results } = await control.call('GET /orders', { query: { seller_id: seller.id, status: 'paid', limit: 1 } })
    return `orders/${results[0]!.id}`
  },
  credits: (_, { lead }) => `credits/${lead}`,
  faults: () => 'faults/1',
  assumptions: () => 'assumptions/contacts.current_bucket',
}

/** The address of a screen in the console. */
export const addressOf = async (screen: string, story: Story, cast: Cast): Promise<string> =>
  `#/${(await DETAILS[screen]?.(story, cast)) ?? screen}`
