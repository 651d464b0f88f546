const { answerAll } = require('./answers.js')
const { useWorld } = require('./market.js')

const world = useWorld()

test('reports an error of the service', async () => {
  const { url, seller, ask, control, verify } = world()
  // Only in the world of this test.
  await control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await ask('MLA1400000001', '¿Hay stock?')
  await expect(answerAll(url, seller('MLA').token, 'Sí.')).rejects.toThrow('/answers: 500')
  await verify({ method: 'POST', path: '/answers', times: 1 })
})
