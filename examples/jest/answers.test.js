const { answerAll } = require('./answers.js')
const { useWorld } = require('./market.js')

const world = useWorld()

test('answers every open question', async () => {
  const { url, seller, ask, verify } = world()
  await ask('MLA1400000001', '¿Hay stock?')
  expect(await answerAll(url, seller('MLA').token, 'Sí.')).toBe(1)
  // Counts the calls of this test only: all others have worlds of their own.
  await verify({ method: 'POST', path: '/answers', times: 1 })
})
