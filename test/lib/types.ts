// Checked by TypeScript against the sources, and by `npm run package -- --check` against the package: what compiles,
// and what must not.

import {
  type Control,
  ControlError,
  control,
  type Notification,
  type Question,
  type SandboxOptions,
  sandbox,
} from 'mercadito'
import { control as alone, createWorld, type TestWorld } from 'mercadito/control'

const options: SandboxOptions = { scenario: 'demo', now: new Date(0), assume: { 'contacts.auth': 'required' } }

export async function usesAll(): Promise<string> {
  await using s = await sandbox(options)
  const received: Notification[] = []
  await s.notify((n) => received.push(n), { topics: ['questions'] })
  await s.notify(async (_, request) => new Response(await request.text(), { status: 202 }))
  const question: Question = await s.ask('MLA1400000001', '¿Hay stock?', { from: null })
  const client: Control = s.control
  const page = await client.call('GET /questions', { query: { limit: 1 } })
  await client.call('POST /settle')
  const nothing: undefined = await client.call('DELETE /faults')
  for await (const event of client.events())
    if (event.type === 'attempt') received.push({ ...received[0]!, ...event, _id: '' })
  for await (const event of client.events({ kinds: ['request', 'contact'] }))
    if (event.type === 'request') received.push({ ...received[0]!, attempts: event.changes.length })
  await client.call('POST /reset')
  await client.call('POST /reset', { body: { keep_requests: true } })
  const listed = await client.call('GET /requests', { query: { status: '4xx', bodies: 'false' } })
  const text: string | null | undefined = listed.results[0]!.body
  const fault = await alone(s.url).call('POST /faults', { body: { action: { status: 500 }, times: 1 } })
  const answer: Response = await s.fetch('/currencies')
  const errors: number[] = []
  await s.verify({ path: '/answers', status: '2xx', times: 1 }).catch((error) => {
    if (error instanceof ControlError) errors.push(error.status)
  })
  await using world: TestWorld = await createWorld({ url: s.url, scenario: 'quiet', now: 0, name: 'mine' })
  const asked: Question = await world.ask('MLA1400000001', '¿Hay stock?')
  await world.clock.advance('1h')
  // @ts-expect-error only a sandbox has it
  await world.fetch('/sites')
  // @ts-expect-error unknown scenario
  await createWorld({ scenario: 'none' })
  // @ts-expect-error unknown kind
  client.events({ kinds: ['facts'] })
  // @ts-expect-error a path parameter is missing
  await client.call('GET /questions/{id}')
  // @ts-expect-error unknown status
  await client.call('PATCH /questions/{id}', { path: { id: 1 }, body: { status: 'LOST' } })
  // @ts-expect-error unknown class
  await s.verify({ path: '/answers', status: '2x' })
  // @ts-expect-error unknown operation
  await client.call('GET /nothing')
  // @ts-expect-error the body is missing
  await client.call('POST /questions')
  // @ts-expect-error unknown value
  await sandbox({ assume: { 'contacts.auth': 'maybe' } })
  // @ts-expect-error unknown member
  errors.push(question.nothing)
  return `${page.results[0]?.text} ${fault.id} ${answer.status} ${control(s.url).url} ${nothing} ${text} ${asked.id}`
}
