import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { call, launch, type RunningServer } from '../support/bundle.ts'
import { crashFolder, expectEvents, openCrashed, untilKilled } from '../support/crashes.ts'
import { randomNumbers, SEED, sizeOr, workFactor } from '../support/torture.ts'
import { until } from '../support/until.ts'

const data = crashFolder(t)

const ROUNDS = sizeOr(2)
/** Acknowledged questions before each kill. */
const QUESTIONS = 300 * workFactor(ROUNDS)
const CLIENTS = 16
const random = randomNumbers(SEED)
const LISTINGS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)

interface Stored {
  id: number
  text: string
  answer_text: string | null
}

interface Acknowledged {
  questions: Map<number, string>
  answers: Map<number, string>
}

/** Asks and answers until the connection breaks; records what was acknowledged. */
async function write(server: RunningServer, client: number, acknowledged: Acknowledged): Promise<void> {
  const [buyer, seller] = [server.buyers[client % 2]!, server.sellers[0]!]
  await untilKilled(async () => {
    for (let n = 0; ; n++) {
      const [item_id, text, answer] = [LISTINGS[n % LISTINGS.length], `pregunta ${client} ${n}`, `respuesta ${n}`]
      const asked = await call(server, 'POST', '/questions', { item_id, text }, buyer.token)
      if (asked.status !== 201) throw new Error(`POST /questions answers ${asked.status}`)
      const { id } = asked.body
      acknowledged.questions.set(id, text)
      const answered = await call(server, 'POST', '/answers', { question_id: id, text: answer }, seller.token)
      if (answered.status !== 200) throw new Error(`POST /answers answers ${answered.status}`)
      acknowledged.answers.set(id, answer)
    }
  })
}

/** The ids of acknowledged questions that the server does not answer as written. */
async function missingOf(server: RunningServer, { questions, answers }: Acknowledged): Promise<number[]> {
  const missing: number[] = []
  const all = questions.entries()
  const check = async () => {
    for (const [id, text] of all) {
      const { body } = await call(server, 'GET', `/questions/${id}`, undefined, server.sellers[0]!.token)
      const answer = answers.get(id)
      const isAnswered = body.status === 'ANSWERED' && body.answer.text === answer
      if (body.text !== text || (answer !== undefined && !isAnswered)) missing.push(id)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, check))
  return missing
}

t.test('acknowledged writes survive SIGKILL, and no write is incomplete', async (t) => {
  const all: Acknowledged = { questions: new Map(), answers: new Map() }
  let last = all
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await launch(t, '--data', data)
    t.strictSame(await missingOf(server, last), [], 'every acknowledged question and answer exists')
    for (const [id, text] of last.questions) all.questions.set(id, text)
    for (const [id, text] of last.answers) all.answers.set(id, text)
    if (round === ROUNDS) {
      await server.stop()
      break
    }
    const acknowledged: Acknowledged = { questions: new Map(), answers: new Map() }
    const writers = Array.from({ length: CLIENTS }, (_, client) => write(server, client, acknowledged))
    await until(`${QUESTIONS} questions`, () => acknowledged.questions.size >= QUESTIONS, 120_000)
    await setTimeout(10 * random())
    await server.stop('SIGKILL')
    await Promise.all(writers)
    last = acknowledged
  }
  t.ok(all.questions.size >= ROUNDS * QUESTIONS && all.answers.size > 0)

  const rows = openCrashed(t, data)
  const questions = rows('SELECT id, text, answer_text FROM question') as Stored[]
  const stored = new Map(questions.map((row) => [row.id, row]))
  t.strictSame(
    [...all.questions].filter(([id, text]) => stored.get(id)?.text !== text),
    [],
    'every acknowledged question of all rounds exists',
  )
  t.strictSame(
    [...all.answers].filter(([id, text]) => stored.get(id)?.answer_text !== text),
    [],
    'every acknowledged answer of all rounds exists',
  )
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
  expectEvents(t, rows)
})
