import type { Test } from 'tap'
import { type Answer, ITEM, type TestApp } from './app.ts'

/** A world whose application is subscribed with `setting`, until the test ends. */
export async function createSubscribedWorld(t: Test, app: TestApp, callback_url: string, setting: object = {}) {
  const world = await app.createWorld(undefined, t)
  const { control, application } = world
  const path = `/applications/${application.id}/notifications`
  const configure = (other = setting) => control(`PUT ${path}`, { callback_url, ...other })
  const { status, body: stored, text } = await configure()
  if (status !== 200) throw new Error(text)
  const setStatus = (item: string, status: string) => control(`PATCH /items/${item}`, { status })
  return {
    ...world,
    /** The answer of the subscription. */
    stored,
    configure,
    setting: () => control(`GET ${path}`),
    unsubscribe: () => control(`DELETE ${path}`),
    settle: () => control('POST /settle'),
    advance: (by: string) => control('POST /clock/advance', { by }),
    pause: (item = ITEM) => setStatus(item, 'paused'),
    activate: (item = ITEM) => setStatus(item, 'active'),
    /** The oldest first. */
    deliveries: async (query = ''): Promise<Answer['body'][]> =>
      (await control(`GET /deliveries${query}`)).body.results.reverse(),
    delivery: async (id: number): Promise<Answer['body']> => (await control(`GET /deliveries/${id}`)).body,
    command: (id: number, action: string) => control(`POST /deliveries/${id}/${action}`),
  }
}
