import { expect, test } from './market.js'

test('answers an open question', async ({ world, app: { page, open } }) => {
  await world.ask('MLA1400000001', '¿Hay stock?')
  await open()
  await page.getByRole('listitem').filter({ hasText: '¿Hay stock?' }).getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('0 open')
  // Counts the calls of this test only: all others have worlds of their own.
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})

test('reads the answer of a question', async ({ world, request }) => {
  const { id } = await world.ask('MLA1400000001', '¿Hay stock?')
  const headers = { authorization: `Bearer ${world.seller('MLA').token}` }
  const answered = await request.post(`${world.url}/answers`, { headers, data: { question_id: id, text: 'Sí.' } })
  expect(answered.status()).toBe(200)
  const read = await request.get(`${world.url}/questions/${id}`, { headers })
  expect(await read.json()).toMatchObject({ status: 'ANSWERED', answer: { text: 'Sí.' } })
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
