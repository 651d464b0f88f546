import { expect } from 'vitest'
import { answerAll } from '../node/answers.js'
import { test } from './market.js'

test('reports an error of the service', async ({ world }) => {
  // Only in the world of this test.
  await world.control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await world.ask('MLA1400000001', '¿Hay stock?')
  await expect(answerAll(world.url, world.seller('MLA').token, 'Sí.')).rejects.toThrow('/answers: 500')
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
