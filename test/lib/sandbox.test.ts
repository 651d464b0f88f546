import t from 'tap'
import { sandbox } from '../../lib/sandbox.ts'

const s = await sandbox({ now: '2026-03-07T15:00:00Z', port: false })
t.teardown(s.close)
t.test('x', async (t) => {
  const a = performance.now()
  t.equal((await s.fetch('/currencies')).status, 200)
  const b = performance.now()
  for (let n = 0; n < 200; n++) await (await s.fetch('/items/MLA1400000001')).json()
  t.comment('ms', b - a, (performance.now() - b) / 200)
  const q = await s.ask('MLA1400000001', '¿Hay?')
  t.equal(q.text, '¿Hay?')
  t.equal((await s.answer(q, 'Sí')).answer?.text, 'Sí')
  const told: string[] = []
  await s.notify((n) => told.push(n.resource))
  await s.ask('MLA1400000001', '¿Hay más?')
  await s.settle()
  t.comment(told, await s.deliveries(), await s.clock.now(), await s.clock.advance('1h30m'), await s.clock.advance(-5))
  const controller = new AbortController()
  const seen = []
  for await (const e of s.control.events({ last_event_id: 0 })) {
    seen.push(e)
    if (seen.length > 2) break
  }
  t.comment(seen)
  await s.control.call('POST /faults', { body: { action: { drop: true }, times: 1 } })
  await t.rejects(s.fetch('/currencies'), { message: 'fetch failed' })
  await t.rejects(s.verify({ path: '/nope', times: 1 }))
  await s.verify({ path: '/nope', times: 1 }).catch((e) => t.comment(e.message, e.cause))
  await s.control.call('GET /users/{id}', { path: { id: 5 } }).catch((e) => t.comment(e.message, e.status))
  t.comment((await s.requests()).length)
  await s.reset()
  t.comment((await s.requests()).length)
})
t.test('more of them', async (t) => {
  for (let n = 0; n < 5; n++) {
    const a = performance.now()
    const other = await sandbox({ now: '2026-03-07T15:00:00Z' })
    const b = performance.now()
    t.equal((await fetch(`${other.url}/currencies`)).status, 200)
    t.comment(b - a, performance.now() - b)
    await other.close()
  }
})
