import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Changing } from '../../parts/page.tsx'
import { act, notify } from '../../parts/toasts.tsx'
import { basePath, consoleOf } from '../../world/address.ts'
import { baseUrl, read, send, worldId } from '../../world/client.ts'
import { go, setQuery } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('start')

const SECONDS = 60
/** After which the server deletes the world. */
const WORLD_SECONDS = 3600
/** Ms between two steps: a person must be able to follow. */
const STEP_MS = 1000

/** A button that opens a new world, in which buyers and a program act for a minute: Live moves without a terminal. */
export function Demonstration({ play }: { play: string | undefined }) {
  useEffect(() => {
    if (play === undefined) return
    // Loading the page again must not play it again.
    setQuery({ play: undefined })
    act(run)
  }, [])
  const openWorld = async () => {
    const body = { scenario: 'demo' as const, name: w.demoWorld, created_by: 'console', expires_in: WORLD_SECONDS }
    const { world } = await send('POST /worlds', { body })
    location.assign(`${consoleOf(basePath(location.pathname), world.id)}#/start?play=1`)
  }
  return (
    <Changing>
      <p class="row">
        <Button title={w.play} run={() => act(openWorld)} />
        <span class="muted">{w.playWhy}</span>
      </p>
    </Changing>
  )
}

/** Buyers act by control calls; the program calls the API with the token of a seller, as any other would. */
async function run(): Promise<void> {
  const { sellers, application } = await read('GET /worlds/{id}', { path: { id: worldId } })
  const seller = sellers[0]
  const { results: items } = await read('GET /items', { query: { seller_id: seller?.id, status: 'active', limit: 10 } })
  if (!seller || items.length === 0) return
  const body = { callback_url: 'inbox:' }
  await send('PUT /applications/{id}/notifications', { path: { id: application.id }, body })
  const program = async (path: string, body?: object) => {
    await wait()
    await fetch(baseUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${seller.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  go('#/live')
  const end = Date.now() + SECONDS * 1000
  const questions = Object.values(w.demoQuestions)
  for (let round = 0; Date.now() < end; round++) {
    const item_id = items[round % items.length]!.id
    if (round % 3 === 1) await send('POST /contacts', { body: { kind: 'phone_view', item_id } })
    await wait()
    const { id } = await send('POST /questions', { body: { item_id, text: questions[round % questions.length]! } })
    await program(`/questions/${id}`)
    // A program that makes a mistake, and corrects it.
    if (round % 4 === 2) await program('/answers', { question: id, text: w.answerText })
    await program('/answers', { question_id: id, text: w.answerText })
  }
  notify(w.played)
}

const wait = () => new Promise((resolve) => setTimeout(resolve, STEP_MS))
