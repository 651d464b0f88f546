import assert from 'node:assert/strict'
import test from 'node:test'
import { sandbox } from 'mercadito'
import { answerAll } from '../node/answers.js'

// A marketplace in this process: nothing to start before, nothing left after.

test('every open question is answered', async () => {
  await using s = await sandbox({ now: '2026-03-02T12:00:00Z' })
  const asked = await s.ask('MLA1400000001', '¿Hay stock?')
  assert.ok((await answerAll(s.url, s.seller('MLA').token, '¡Hola! Sí.')) > 0)
  await s.verify({ method: 'POST', path: '/answers', body: { question_id: asked.id }, times: 1 })
})

test('the program is told of a question within the hour', async () => {
  const told = []
  await using s = await sandbox({ now: '2026-03-02T12:00:00Z', notify: (notification) => told.push(notification) })
  const { id } = await s.ask('MLA1400000001', '¿Hay stock?')
  await s.clock.advance('1h')
  await s.settle()
  const { user_id, topic, resource } = told.find(({ user_id }) => user_id === s.seller('MLA').id)
  assert.deepEqual(
    { user_id, topic, resource },
    { user_id: s.seller('MLA').id, topic: 'questions', resource: `/questions/${id}` },
  )
})

test('what the service refuses is told', async () => {
  await using s = await sandbox()
  await s.control.call('POST /faults', { body: { match: { path: '/answers' }, action: { status: 500 } } })
  await assert.rejects(answerAll(s.url, s.seller('MLA').token, 'Sí'), /\/answers: 500/)
})
