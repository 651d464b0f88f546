import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { launch, type RunningServer } from '../support/bundle.ts'
import { miscountsOf } from '../support/counts.ts'
import { sizeOr } from '../support/torture.ts'

const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
t.teardown(() => rmSync(data, { recursive: true }))

const ROUNDS = sizeOr(3)
const LISTINGS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)

interface Acknowledged {
  questions: Map<number, string>
  answers: Map<number, string>
}

/** Asks and answers until the connection breaks; records what was acknowledged. */
async function write(server: RunningServer, client: number, acknowledged: Acknowledged): Promise<void> {
  const [buyer, seller] = [server.buyers[client % 2]!, server.sellers[0]!]
  const post = (path: string, token: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  try {
    for (let n = 0; ; n++) {
      const text = `pregunta ${client} ${n}`
      const response = await post('/questions', buyer.token, { item_id: LISTINGS[n % LISTINGS.length], text })
      if (response.status !== 201) continue
      const { id } = (await response.json()) as { id: number }
      acknowledged.questions.set(id, text)
      const answered = await post('/answers', seller.token, { question_id: id, text: `respuesta ${client} ${n}` })
      if (answered.status === 200) acknowledged.answers.set(id, `respuesta ${client} ${n}`)
    }
  } catch {
    // The server was killed: calls in flight were not acknowledged.
  }
}

t.test('acknowledged writes survive SIGKILL, and no write is incomplete', async (t) => {
  const acknowledged: Acknowledged = { questions: new Map(), answers: new Map() }
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await launch(t, '--data', data)
    const writers = Array.from({ length: 16 }, (_, client) => write(server, client, acknowledged))
    const goal = acknowledged.questions.size + 150 * round
    while (acknowledged.questions.size < goal) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.stop('SIGKILL')
    await Promise.all(writers)
  }

  const server = await launch(t, '--data', data)
  const seller = server.sellers[0]!
  let checked = 0
  for (const [id, text] of acknowledged.questions) {
    const answer = await fetch(`${server.url}/questions/${id}`, {
      headers: { authorization: `Bearer ${seller.token}` },
    })
    const question = (await answer.json()) as { text: string; status: string; answer: { text: string } | null }
    const answerText = acknowledged.answers.get(id)
    if (
      question.text === text &&
      (answerText === undefined || (question.status === 'ANSWERED' && question.answer?.text === answerText))
    )
      checked++
  }
  t.equal(checked, acknowledged.questions.size, 'every acknowledged question and answer exists')
  t.ok(acknowledged.answers.size > 0)
  await server.stop()

  const db = new Sqlite(join(data, 'world-1.sqlite'), { readonly: true })
  const rows = (sql: string) => db.prepare(sql).all()
  t.strictSame(rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  t.strictSame(
    rows(
      `SELECT id FROM question WHERE (status = 'ANSWERED') <> (answer_text IS NOT NULL AND answered_at IS NOT NULL) AND status IN ('ANSWERED', 'UNANSWERED')`,
    ),
    [],
    'no answer without its status',
  )
  t.strictSame(
    rows(`SELECT count(*) n FROM question WHERE text LIKE 'pregunta%'
          EXCEPT SELECT count(*) FROM contact_event WHERE kind = 'questions' AND buyer_id IN (2500000102, 2500000103)
            AND at >= (SELECT min(date_created) FROM question WHERE text LIKE 'pregunta%') - (SELECT origin FROM world)`),
    [],
    'every question was counted',
  )
  t.strictSame(
    rows(`SELECT '/questions/' || id resource, 1 + (status = 'ANSWERED') n FROM question WHERE text LIKE 'pregunta%'
          EXCEPT SELECT resource, count(*) FROM outbox GROUP BY resource`),
    [],
    'every change has its event',
  )
  for (const subject of ['item', 'user'])
    t.strictSame(
      rows(`SELECT ${subject}_id, kind, hour, n FROM contact_${subject}_hour
            EXCEPT SELECT ${subject}_id, kind, cast(floor(at / 3600000.0) AS integer), count(*) FROM contact_event GROUP BY 1, 2, 3`),
      [],
      `rollups by ${subject} equal the rows`,
    )
  t.strictSame(miscountsOf(db), {}, 'counters of questions equal the rows')
  db.close()
})
