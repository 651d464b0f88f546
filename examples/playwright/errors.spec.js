import { expect, test } from './market.js'

test('shows an error of the service', async ({ world, app: { page, open } }) => {
  // Only in the world of this test.
  await world.control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await world.ask('MLA1400000001', '¿Hay stock?')
  await open()
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('/answers: 500')
  await world.verify({ method: 'POST', path: '/answers', times: 1 })
})
