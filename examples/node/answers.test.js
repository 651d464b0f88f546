import assert from 'node:assert/strict'
import test from 'node:test'
import { answerAll } from './answers.js'

const { MERCADITO_URL } = process.env

/** Calls the sandbox's control plane. */
async function control(base, method, path, body) {
  const answer = await fetch(`${base}/_sandbox${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? undefined : answer.json()
}

/** A marketplace for one test alone, so that tests run side by side. */
const world = (t) =>
  control(MERCADITO_URL, 'POST', '/worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' }).then((made) => {
    t.after(() => control(MERCADITO_URL, 'DELETE', `/worlds/${made.world.id}`))
    return made
  })

test('every open question is answered', { concurrency: true }, async (t) => {
  const { url, sellers, buyers } = await world(t)
  const [seller] = sellers
  const asked = await control(url, 'POST', '/questions', {
    item_id: 'MLA1400000001',
    from: buyers[0].id,
    text: '¿Hay stock?',
  })
  assert.ok((await answerAll(url, seller.token, '¡Hola! Sí.')) > 0)
  const answer = await fetch(`${url}/questions/${asked.id}`, { headers: { authorization: `Bearer ${seller.token}` } })
  assert.equal((await answer.json()).answer.text, '¡Hola! Sí.')
  await control(url, 'POST', '/verify', { method: 'POST', path: '/answers', body: { question_id: asked.id }, times: 1 })
})

test('what the service refuses is told', { concurrency: true }, async (t) => {
  const { url, sellers } = await world(t)
  await control(url, 'POST', '/faults', { match: { path: '/answers' }, action: { status: 500 } })
  await assert.rejects(answerAll(url, sellers[0].token, 'Sí'), /\/answers: 500/)
})
