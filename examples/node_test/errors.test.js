import assert from 'node:assert/strict'
import test from 'node:test'
import { answerAll } from '../node/answers.js'
import { openWorld } from './market.js'

test('reports an error of the service', async (t) => {
  const world = await openWorld(t)
  // Only in the world of this test.
  await world.control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await world.ask('MLA1400000001', '¿Hay stock?')
  await assert.rejects(answerAll(world.url, world.seller('MLA').token, 'Sí.'), /\/answers: 500/)
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
