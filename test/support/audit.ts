import { mock } from 'node:test'
import type { Test } from 'tap'
import { type Answer, bearer, ITEM, NOON, type TestApp } from './app.ts'

interface Person {
  id: number
  token: string
}

/** A world of its own for one program. Real time is that of `mock.timers`: each call comes 1 ms after the one before. */
export interface ProgramWorld {
  base: string
  application: { id: number; secret: string; redirect_uri: string }
  seller: Person
  /** A seller of another site. */
  otherSeller: Person
  buyer: Person
  /** A call of the seller, unless another person or nobody is named. */
  call(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer>
  get(url: string, options?: CallOptions): Promise<Answer>
  /** Sends a form to `/oauth/token` with the credentials of the application. */
  token(fields: Record<string, string>): Promise<Answer>
  control(request: string, body?: unknown): Promise<Answer>
  /** Buyers ask; answers the ids. */
  ask(count?: number): Promise<number[]>
  /** Subscribes the application, to the questions unless it says otherwise. */
  subscribe(callback_url: string, more?: object): Promise<void>
  /** Real time passes. */
  wait(ms: number): void
  /** World time passes, and due notifications are sent. */
  advance(by: string): Promise<void>
  audit(query?: string): Promise<Answer['body']>
}

interface CallOptions {
  as?: Person | null
  headers?: Record<string, string>
}

/** Stops the real time of the server until the test ends. */
export function stopTime(t: Test): void {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 2, 7, 15) })
  t.teardown(() => mock.timers.reset())
}

export async function createProgramWorld(t: Test, app: TestApp): Promise<ProgramWorld> {
  const { body } = await app.control('POST /worlds', { scenario: 'quiet', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => app.control(`DELETE /worlds/${body.world.id}`))
  const { application } = body
  const [seller, otherSeller] = body.sellers as [Person, Person]
  const control: ProgramWorld['control'] = async (request, sent) => {
    const answer = await app.control(request, sent, base)
    if (answer.status >= 400) throw new Error(`${request}: ${answer.text}`)
    return answer
  }
  const call: ProgramWorld['call'] = (method, url, sent, { as = seller, headers } = {}) => {
    mock.timers.tick(1)
    return app.call({
      method: method as 'GET',
      url: `${base}${url}`,
      headers: { ...(as && bearer(as.token)), ...headers },
      ...(sent !== undefined && { payload: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    })
  }
  return {
    ...{ base, application, seller, otherSeller, buyer: body.buyers[0], control, call },
    get: (url, options) => call('GET', url, undefined, options),
    token: (fields) =>
      call(
        'POST',
        '/oauth/token',
        new URLSearchParams({
          ...{ client_id: String(application.id), client_secret: application.secret },
          ...fields,
        }).toString(),
        { as: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ),
    async ask(count = 1) {
      const ids = []
      for (let n = 0; n < count; n++) {
        const asked = await control('POST /questions', { item_id: ITEM, text: `¿Hay ${n}?` })
        ids.push(asked.body.id)
      }
      await control('POST /settle')
      return ids
    },
    async subscribe(callback_url, more = { topics: ['questions'] }) {
      await control(`PUT /applications/${application.id}/notifications`, { callback_url, ...more })
    },
    wait: (ms) => mock.timers.tick(ms),
    async advance(by) {
      await control('POST /clock/advance', { by })
      await control('POST /settle')
    },
    audit: async (query = '') => (await control(`GET /audit${query}`)).body,
  }
}
