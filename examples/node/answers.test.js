import assert from 'node:assert/strict'
import test from 'node:test'
import { answerAll } from './answers.js'

const { MERCADITO_URL } = process.env

/** Sends a control call. */
async function control(base, method, path, body) {
  const response = await fetch(`${base}/_sandbox${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}

/** Creates a world for one test, so that tests can run at the same time. */
async function createWorld(t) {
  const created = await control(MERCADITO_URL, 'POST', '/worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  t.after(() => control(MERCADITO_URL, 'DELETE', `/worlds/${created.world.id}`))
  return created
}

test('answers every open question', { concurrency: true }, async (t) => {
  const { url, sellers, buyers } = await createWorld(t)
  const [seller] = sellers
  const asked = await control(url, 'POST', '/questions', {
    item_id: 'MLA1400000001',
    from: buyers[0].id,
    text: '¿Hay stock?',
  })
  assert.ok((await answerAll(url, seller.token, '¡Hola! Sí.')) > 0)
  const response = await fetch(`${url}/questions/${asked.id}`, { headers: { authorization: `Bearer ${seller.token}` } })
  assert.equal((await response.json()).answer.text, '¡Hola! Sí.')
  await control(url, 'POST', '/verify', { method: 'POST', path: '/answers', body: { question_id: asked.id }, times: 1 })
})

test('reports an error of the service', { concurrency: true }, async (t) => {
  const { url, sellers } = await createWorld(t)
  await control(url, 'POST', '/faults', { match: { path: '/answers' }, action: { status: 500 } })
  await assert.rejects(answerAll(url, sellers[0].token, 'Sí'), /\/answers: 500/)
})
