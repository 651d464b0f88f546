import assert from 'node:assert/strict'
import test from 'node:test'
import { answerAll } from '../node/answers.js'
import { openWorld } from './market.js'

test('answers every open question', async (t) => {
  const world = await openWorld(t)
  await world.ask('MLA1400000001', '¿Hay stock?')
  assert.equal(await answerAll(world.url, world.seller('MLA').token, 'Sí.'), 1)
  // Counts the calls of this test only: all others have worlds of their own.
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
