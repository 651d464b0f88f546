import type { Schemas } from '../../lib/types.ts'
import { NOW, type Stage } from '../../test/browser/stage.ts'
import { untilStill } from './camera.ts'
import type { Receiver } from './receiver.ts'
import type { Texts } from './texts.ts'

const HOUR_MS = 3_600_000
/** Longer than contacts are summed before their event. */
const CONTACTS_MS = 1200

/** The world of the pictures: a seller, the program of the seller, and buyers. */
export interface Story extends Stage {
  receiver: Receiver
  texts: Texts
  seller: Schemas['Person']
  /** The listing about which buyers ask. */
  item: Schemas['Listing']
  other: Schemas['Listing']
  now: number
}

/** What the pictures show in detail. */
export interface Cast {
  question: number
  refused: number
  retried: number
  lead: string
}

/** The first call of the program. */
export async function begin(stage: Stage, receiver: Receiver, texts: Texts): Promise<Story> {
  const seller = stage.info.sellers.find(({ site_id }) => site_id === texts.site)!
  const query = { seller_id: seller.id, status: 'active', limit: 2 } as const
  const { results } = await stage.control.call('GET /items', { query })
  const [item, other] = results as [Schemas['Listing'], Schemas['Listing']]
  const story = { ...stage, receiver, texts, seller, item, other, now: NOW }
  await call(story, 'GET', '/users/me')
  return story
}

/** The program is notified. */
export async function subscribe({ page, control, info, receiver }: Story): Promise<void> {
  await control.call('PUT /applications/{id}/notifications', {
    path: { id: info.application.id },
    body: { callback_url: receiver.url, profile: 'realistic' },
  })
  await untilStill(page)
}

/** A question is answered at the second try, a webhook arrives at its second attempt, and a buyer asks for a credit. */
export async function converse(story: Story): Promise<Cast> {
  const { control, receiver, texts, item } = story
  const question = await ask(story, texts.questions[0], null)
  await call(story, 'GET', `/questions/${question}`)
  await call(story, 'POST', '/answers', { question, text: texts.answer })
  await call(story, 'POST', '/answers', { question_id: question, text: texts.answer })
  await control.call('POST /settle')
  receiver.next = 'failed'
  const second = await ask(story, texts.questions[1])
  await advance(story, 15_000)
  const lead = await control.call('POST /loans', { body: { item_id: item.id }, snapshot: 'lead' })
  await control.call('POST /settle')
  const refused = await control.call('GET /requests', { query: { status: '4xx' } })
  const retried = await control.call('GET /deliveries', { query: { resource: `/questions/${second}` } })
  return { question, refused: refused.results[0]!.id, retried: retried.results.at(-1)!.id, lead: lead.id }
}

/** A second application, whose receiver fails. */
async function addApplication({ control, receiver, texts, seller }: Story): Promise<void> {
  const { id } = await control.call('POST /applications', {
    body: { name: texts.application, redirect_uri: receiver.brokenUrl },
  })
  await control.call('POST /tokens', { body: { user_id: seller.id, application_id: id } })
  await control.call('PUT /applications/{id}/notifications', {
    path: { id },
    body: {
      ...{ callback_url: receiver.brokenUrl, topics: ['items'], profile: 'realistic' },
      overrides: { attempts_at: [0], off_after: 1 },
    },
  })
}

/** A late receiver, a topic that is switched off, faults, a changed assumption, a snapshot, a second world. */
export async function fail(story: Story): Promise<void> {
  const { control, receiver, texts, item, other } = story
  await addApplication(story)
  receiver.next = 'late'
  await ask(story, texts.questions[2])
  await call(story, 'PUT', `/items/${other.id}`, { status: 'paused' })
  await control.call('POST /settle')
  await control.call('POST /faults', {
    body: { match: { method: 'GET', path: '/items/*' }, action: { status: 503 }, times: 3 },
  })
  await control.call('POST /faults', {
    body: { match: { path: '/answers' }, action: { rate_limit: { limit: 10, window: 60 } }, enabled: false },
  })
  await call(story, 'GET', `/items/${item.id}`)
  await control.call('PATCH /assumptions/{name}', {
    path: { name: 'contacts.current_bucket' },
    body: { value: 'exclude' },
  })
  await control.call('POST /snapshots', { body: { name: 'antes', label: texts.snapshot } })
  await control.call('POST /worlds', {
    body: { name: texts.world, scenario: 'empty', now: new Date(NOW).toISOString() },
  })
}

/** A day in which more and more buyers look at the listing, and then fewer. */
export async function fillDay({ control, item }: Story): Promise<void> {
  for (const [kind, most] of [
    ['phone_view', 40],
    ['messaging_click', 15],
  ] as const) {
    const points = Array.from({ length: 24 }, (_, hour) => ({
      at: new Date(NOW - hour * HOUR_MS).toISOString(),
      total: Math.round(most * Math.sin((Math.PI * hour) / 24) ** 2),
    }))
    await control.call('PUT /contacts/series', { body: { kind, item_id: item.id, unit: 'hour', points } })
  }
}

/** A call of the program. Events of several kinds keep their order only if the stream has sent the earlier ones. */
async function call({ page, url, seller }: Story, method: string, path: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  await answer.arrayBuffer()
  await untilStill(page)
}

async function ask({ page, control, item }: Story, text: string, from?: null): Promise<number> {
  const body = { item_id: item.id, text, ...(from === null && { from }) }
  const { id } = await control.call('POST /questions', { body, snapshot: 'ask' })
  await control.call('POST /settle')
  await untilStill(page, CONTACTS_MS)
  return id
}

/** Moves the clock of the world, and that of the browser with it. */
async function advance(story: Story, ms: number): Promise<void> {
  story.now += ms
  await story.page.clock.setFixedTime(story.now)
  await story.control.call('POST /clock/advance', { body: { by: ms }, snapshot: 'clock' })
  await story.control.call('POST /settle')
}
