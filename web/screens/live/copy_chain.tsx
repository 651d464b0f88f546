import { useState } from 'preact/hooks'
import { CopyAs } from '../../parts/copy_as.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt } from '../../parts/toasts.tsx'
import { askAgain, type TestedCall, testOf, withVariable } from '../../snippets/call.ts'
import { words as common } from '../../words/index.ts'
import { baseUrl, read } from '../../world/client.ts'
import type { Entry } from '../../world/entries.ts'

/** The chain as one test: the buyer asks again, and the program's calls follow. */
export function CopyChain({ chain }: { chain: Entry[] }) {
  const [calls, setCalls] = useState<TestedCall[]>()
  const w = common()
  const load = () => void attempt(() => testedCalls(chain)).then(setCalls, () => {})
  const hasCalls = chain.some(({ event }) => event.type === 'request')
  useKeys(hasCalls ? [{ keys: 't', title: w.copyTest, run: load }] : [])
  if (!hasCalls) return null
  const title = calls?.at(-1)?.title ?? ''
  return (
    <>
      <button type="button" class="small" aria-haspopup="dialog" onClick={load}>
        {w.copyTest}
      </button>
      {calls && (
        <Dialog title={w.copyTest} class="wide-dialog" onClose={() => setCalls(undefined)}>
          <CopyAs textOf={({ test }) => test?.(title, calls)} />
        </Dialog>
      )}
    </>
  )
}

/** The calls of a chain with their bodies. The number of the question is another each time: a variable takes its place. */
async function testedCalls(chain: Entry[]): Promise<TestedCall[]> {
  const ids = chain.flatMap(({ event }) => (event.type === 'request' ? event.id : []))
  const recorded = await Promise.all(ids.map((id) => read('GET /requests/{id}', { path: { id } })))
  const calls = recorded.map((request) => testOf(request, baseUrl))
  const asked = chain.find(({ event }) => event.type === 'control' && event.path === '/questions')
  const fact = asked && chain.find(({ event }) => event.type === 'fact' && event.topic === 'questions')
  if (fact?.event.type !== 'fact') return calls
  const id = Number(fact.event.resource.slice(fact.event.resource.lastIndexOf('/') + 1))
  const question = await read('GET /questions/{id}', { path: { id } })
  return [askAgain(question, baseUrl), ...calls.map((call) => withVariable(call, String(id), 'question'))]
}
