// Checked by TypeScript, in the repository against the sources and by `npm run package -- --check` against what is
// published: what must compile, and what must not.

import {
  type Control,
  ControlError,
  control,
  type Notification,
  type Question,
  type SandboxOptions,
  sandbox,
} from 'mercadito'
import { control as alone } from 'mercadito/control'

const options: SandboxOptions = { scenario: 'demo', now: new Date(0), assume: { 'contacts.auth': 'required' } }

export async function usesAll(): Promise<string> {
  await using s = await sandbox(options)
  const told: Notification[] = []
  await s.notify((n) => told.push(n), { topics: ['questions'] })
  await s.notify(async (_, request) => new Response(await request.text(), { status: 202 }))
  const asked: Question = await s.ask('MLA1400000001', '¿Hay stock?', { from: null })
  const plane: Control = s.control
  const page = await plane.call('GET /questions', { query: { limit: 1 } })
  await plane.call('POST /settle')
  const nothing: undefined = await plane.call('DELETE /faults')
  for await (const event of plane.events()) if (event.type === 'attempt') told.push({ ...told[0]!, ...event, _id: '' })
  const fault = await alone(s.url).call('POST /faults', { body: { action: { status: 500 }, times: 1 } })
  const answer: Response = await s.fetch('/currencies')
  const errors: number[] = []
  await s.verify({ path: '/answers', times: 1 }).catch((error) => {
    if (error instanceof ControlError) errors.push(error.status)
  })
  // @ts-expect-error a place of the path is missing
  await plane.call('GET /questions/{id}')
  // @ts-expect-error no such status
  await plane.call('PATCH /questions/{id}', { path: { id: 1 }, body: { status: 'LOST' } })
  // @ts-expect-error no such call
  await plane.call('GET /nothing')
  // @ts-expect-error the body is missing
  await plane.call('POST /questions')
  // @ts-expect-error no such value
  await sandbox({ assume: { 'contacts.auth': 'maybe' } })
  // @ts-expect-error no such member
  errors.push(asked.nothing)
  return `${page.results[0]?.text} ${fault.id} ${answer.status} ${control(s.url).url} ${nothing}`
}
