import assert from 'node:assert/strict'
import test from 'node:test'
import { sandbox } from 'mercadito'
import { answerAll } from '../node/answers.js'

// The marketplace runs in this process: there is no server to start or to stop.

test('answers every open question', async () => {
  await using s = await sandbox({ now: '2026-03-02T12:00:00Z' })
  const asked = await s.ask('MLA1400000001', '¿Hay stock?')
  assert.ok((await answerAll(s.url, s.seller('MLA').token, '¡Hola! Sí.')) > 0)
  await s.verify({ method: 'POST', path: '/answers', body: { question_id: asked.id }, times: 1 })
})

test('receives a notification for a new question', async () => {
  const received = []
  await using s = await sandbox({ now: '2026-03-02T12:00:00Z', notify: (notification) => received.push(notification) })
  const { id } = await s.ask('MLA1400000001', '¿Hay stock?')
  await s.clock.advance('1h')
  await s.settle()
  const { user_id, topic, resource } = received.find(({ user_id }) => user_id === s.seller('MLA').id)
  assert.deepEqual(
    { user_id, topic, resource },
    { user_id: s.seller('MLA').id, topic: 'questions', resource: `/questions/${id}` },
  )
})

test('reports an error of the service', async () => {
  await using s = await sandbox()
  await s.control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await assert.rejects(answerAll(s.url, s.seller('MLA').token, 'Sí'), /\/answers: 500/)
})
