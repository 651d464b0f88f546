import { Code } from '../../parts/code.tsx'
import { Show } from '../../parts/feedback.tsx'
import { number } from '../../words/words.ts'
import { baseUrl, read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { words } from './words.ts'

/** Counts of the world; a count of a list costs a page without elements. */
async function readCounts(signal: AbortSignal) {
  const none = { limit: 0 }
  const answers = await Promise.all([
    read('GET /requests', { query: none, signal }),
    read('GET /questions', { query: { ...none, status: 'UNANSWERED' }, signal }),
    read('GET /deliveries', { query: { ...none, status: 'pending' }, signal }),
    read('GET /deliveries', { query: { ...none, status: 'missed' }, signal }),
    read('GET /faults', { query: none, signal }),
    read('GET /items', { query: none, signal }),
  ])
  return answers.map(({ paging }) => paging.total)
}

export default function Overview() {
  const w = words()
  const counts = useLoad(readCounts, { refreshOn: () => true })
  const titles = [w.requests, w.questions, w.pending, w.missed, w.faults, w.items]
  const links = ['#/requests']
  return (
    <div class="page stack">
      <div class="page-head">
        <h1>{w.title}</h1>
      </div>
      <section class="stack">
        <h2 class="label">{w.address}</h2>
        <Code text={baseUrl} label={w.address} />
      </section>
      <Show loaded={counts}>
        {(totals) => (
          <div class="tiles">
            {totals.map((total, n) => {
              const Tag = links[n] ? 'a' : 'div'
              return (
                <Tag key={titles[n]} class="card tile" href={links[n]}>
                  <strong>{number(total)}</strong>
                  <span class="muted">{titles[n]}</span>
                </Tag>
              )
            })}
          </div>
        )}
      </Show>
    </div>
  )
}
