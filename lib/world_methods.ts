import { readDuration } from '../domains/shared/durations.ts'
import { isoOf } from './instants.ts'
import type { AnswerOf, BodyOf, Clock, Control, Instant, Person, RequestMade, Sandbox } from './types.ts'

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

/** The clock of a world, through control calls. */
function createClock({ call }: Control): Clock {
  const set = (body: BodyOf<'PUT /clock'>) => waitForClock(call('PUT /clock', { body }))
  const advance = (by: number) => waitForClock(call('POST /clock/advance', { body: { by } }))

  /** A control call waits only for a limited time; the next one waits for the rest of the move. */
  async function waitForClock(pendingCall: Promise<AnswerOf<'PUT /clock'>>): Promise<Date> {
    const clock = await pendingCall
    return 'pending' in clock ? advance(0) : new Date(clock.now)
  }

  return {
    async now() {
      return new Date((await call('GET /clock')).now)
    },
    async set(instant) {
      const { mode } = await call('GET /clock')
      return set({ mode: mode === 'real' ? 'shifted' : mode, now: iso(instant) })
    },
    advance: async (by) => advance(msOf(by)),
    freeze: async (instant) => set({ mode: 'frozen', ...(instant !== undefined && { now: iso(instant) }) }),
    resume: () => set({ mode: 'shifted' }),
    real: () => set({ mode: 'real' }),
  }
}

const iso = (instant: Instant): string => isoOf('sandbox: instant', instant)

function msOf(by: string | number): number {
  const ms = readDuration(by)
  if (ms === undefined) throw new TypeError(`advance: ${by} is no duration such as PT2H, 2h30m or whole ms`)
  return ms
}
