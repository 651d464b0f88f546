import { expect } from 'vitest'
import { answerAll } from '../node/answers.js'
import { test } from './market.js'

test('answers every open question', async ({ world }) => {
  await world.ask('MLA1400000001', '¿Hay stock?')
  expect(await answerAll(world.url, world.seller('MLA').token, 'Sí.')).toBe(1)
  // Counts the calls of this test only: all others have worlds of their own.
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
