import { createClock } from './clock.ts'
import type { Control, Person, RequestMade, Sandbox } from './types.ts'

const PAGE_SIZE = 1000

/** The members of a sandbox that are control calls, or find its users. */
export const worldMethods = (client: Control, { sellers, buyers }: Pick<Sandbox, 'sellers' | 'buyers'>) =>
  ({
    control: client,
    clock: createClock(client),
    seller: (site) => personOf('seller', sellers, site),
    buyer: (site) => personOf('buyer', buyers, site),
    ask: (item_id, text, more) => client.call('POST /questions', { body: { ...more, item_id, text } }),
    answer: (question, text) =>
      client.call('PATCH /questions/{id}', {
        path: { id: typeof question === 'number' ? question : question.id },
        body: { answer: { text } },
      }),
    settle: () => client.call('POST /settle'),
    deliveries: (query) => fetchAllPages((page) => client.call('GET /deliveries', { query: { ...query, ...page } })),
    // With bodies, which is the default, each element has all members.
    requests: (query) =>
      fetchAllPages((page) => client.call('GET /requests', { query: { ...query, ...page } })) as Promise<RequestMade[]>,
    verify: (body) => client.call('POST /verify', { body }),
    reset: () => client.call('POST /reset'),
  }) satisfies Partial<Sandbox>

function personOf(role: string, people: Person[], site: string | undefined): Person {
  const person = people.find(({ site_id }) => site === undefined || site_id === site)
  if (!person) throw new Error(`the world has no ${role}${site === undefined ? '' : ` of ${site}`}`)
  return person
}

/** The results of all pages of a list. */
async function fetchAllPages<T>(
  page: (paging: { limit: number; offset: number }) => Promise<{ paging: { total: number }; results: T[] }>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { paging, results } = await page({ limit: PAGE_SIZE, offset: all.length })
    all.push(...results)
    if (results.length === 0 || all.length >= paging.total) return all
  }
}
