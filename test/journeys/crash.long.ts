import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { launch, type Running } from '../support/bundle.ts'
import { miscountsOf } from '../support/counts.ts'

const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
t.teardown(() => rmSync(data, { recursive: true }))

const LISTINGS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)

interface Acknowledged {
  asked: Map<number, string>
  answered: Map<number, string>
}

/** Asks and answers without a pause until the connection breaks; remembers what was acknowledged. */
async function write(server: Running, who: number, known: Acknowledged): Promise<void> {
  const [buyer, seller] = [server.buyers[who % 2]!, server.sellers[0]!]
  const post = (path: string, token: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  try {
    for (let n = 0; ; n++) {
      const text = `pregunta ${who} ${n}`
      const asked = await post('/questions', buyer.token, { item_id: LISTINGS[n % LISTINGS.length], text })
      if (asked.status !== 201) continue
      const { id } = (await asked.json()) as { id: number }
      known.asked.set(id, text)
      const answered = await post('/answers', seller.token, { question_id: id, text: `respuesta ${who} ${n}` })
      if (answered.status === 200) known.answered.set(id, `respuesta ${who} ${n}`)
    }
  } catch {
    // The server was killed: whatever was on its way was not acknowledged.
  }
}

t.test('what was acknowledged survives SIGKILL, and nothing is half done', async (t) => {
  const known: Acknowledged = { asked: new Map(), answered: new Map() }
  for (const round of [1, 2, 3]) {
    const server = await launch(t, '--data', data)
    const writers = Array.from({ length: 16 }, (_, who) => write(server, who, known))
    const goal = known.asked.size + 150 * round
    while (known.asked.size < goal) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.end('SIGKILL')
    await Promise.all(writers)
  }

  const server = await launch(t, '--data', data)
  const seller = server.sellers[0]!
  let checked = 0
  for (const [id, text] of known.asked) {
    const answer = await fetch(`${server.url}/questions/${id}`, {
      headers: { authorization: `Bearer ${seller.token}` },
    })
    const question = (await answer.json()) as { text: string; status: string; answer: { text: string } | null }
    const given = known.answered.get(id)
    if (
      question.text === text &&
      (given === undefined || (question.status === 'ANSWERED' && question.answer?.text === given))
    )
      checked++
  }
  t.equal(checked, known.asked.size, 'every acknowledged question and answer is there')
  t.ok(known.answered.size > 0)
  await server.end()

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
  t.strictSame(miscountsOf(db), {}, 'what is counted of questions equals the rows')
  db.close()
})
