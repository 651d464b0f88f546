import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { MercaditoContainer } from 'mercadito/testcontainers'
import { answerAll } from '../node/answers.js'

/** @type {import('mercadito/testcontainers').StartedMercaditoContainer} */
let container
before(async () => {
  container = await new MercaditoContainer('mercadito').start()
})
after(() => container.stop())

test('answers every open question', async (t) => {
  const world = await container.createWorld({ scenario: 'quiet', now: '2026-03-02T12:00:00Z' })
  t.after(world.close)
  const asked = await world.ask('MLA1400000001', '¿Hay stock?')
  assert.equal(await answerAll(world.url, world.seller('MLA').token, 'Sí.'), 1)
  await world.verify({ method: 'POST', path: '/answers', body: { question_id: asked.id }, times: 1 })
})

test('the default world has a client, too', async () => {
  const { results } = await container.control.call('GET /worlds')
  assert.equal(results[0]?.id, 1)
})
