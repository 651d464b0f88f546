import { useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../../lib/types.ts'
import { NoListings, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { money } from '../../words/money.ts'
import { change, read, worldId } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

const LISTINGS = 200

/** What a buyer sees and can do: the other side of the program under test. */
export function Phone({ item }: { item: string | undefined }) {
  const w = words().live
  const load = async (signal: AbortSignal) => {
    const [{ sellers }, { results }] = await Promise.all([
      read('GET /worlds/{id}', { path: { id: worldId }, signal }),
      read('GET /items', { query: { status: 'active', limit: LISTINGS }, signal }),
    ])
    const seller = sellers[0]?.id
    return { listings: results, seller, mine: results.find(({ seller_id }) => seller_id === seller) ?? results[0] }
  }
  const loaded = useLoad(load, { refreshOn: (event) => event.type === 'fact' && event.topic === 'items' })
  return (
    <details class="phone" open={innerWidth > 1120}>
      <summary>{w.phone}</summary>
      <Show loaded={loaded}>
        {({ listings, mine, seller }) => {
          const listing = listings.find(({ id }) => id === item) ?? mine
          if (!listing) return <NoListings seller={seller} />
          return (
            <>
              <ListingChoice listings={listings} chosen={listing.id} />
              <Listing key={listing.id} listing={listing} />
            </>
          )
        }}
      </Show>
    </details>
  )
}

const ListingChoice = ({ listings, chosen }: { listings: Schemas['Listing'][]; chosen: string }) => (
  <select
    class="phone-choice"
    aria-label={words().live.listing}
    value={chosen}
    onChange={({ currentTarget }) => setQuery({ item: currentTarget.value })}
  >
    {[...Map.groupBy(listings, ({ site_id }) => site_id)].map(([site, all]) => (
      <optgroup key={site} label={site}>
        {all.map(({ id, title }) => (
          <option key={id} value={id}>
            {visible(title)}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
)

function Listing({ listing: { id, price, currency_id } }: { listing: Schemas['Listing'] }) {
  const w = words().live
  const act = (said: string, run: () => Promise<unknown>) =>
    void attempt(run).then(
      () => notify(said),
      () => {},
    )
  const contact = (label: string, kind: 'phone_view' | 'whatsapp') => () =>
    change(label, 'POST /contacts', { body: { kind, item_id: id } })
  return (
    <>
      <p class="phone-price">
        {money(price, currency_id, id)}
        <span class="muted mono"> {id}</span>
      </p>
      {canChange.value && (
        <div class="row">
          <button type="button" class="small" onClick={() => act(w.phoneViewed, contact(w.viewPhone, 'phone_view'))}>
            {w.viewPhone}
          </button>
          <button
            type="button"
            class="small"
            onClick={() => act(w.whatsappClicked, contact(w.clickWhatsapp, 'whatsapp'))}
          >
            {w.clickWhatsapp}
          </button>
          <button
            type="button"
            class="small"
            onClick={() => act(w.leadMade, () => change(w.lead, 'POST /loans', { body: { item_id: id } }))}
          >
            {w.lead}
          </button>
        </div>
      )}
      <Questions item={id} />
      {canChange.value && <AskForm item={id} />}
    </>
  )
}

const QUESTIONS = 4

/** The latest questions about a listing, as a buyer sees them. */
function Questions({ item }: { item: string }) {
  const w = words().live
  const questions = useCall(
    'GET /questions',
    { query: { item_id: item, limit: QUESTIONS } },
    { refreshOn: (event) => event.type === 'fact' && event.topic === 'questions' },
  )
  return (
    <Show loaded={questions}>
      {({ results }) =>
        results.length === 0 ? (
          <p class="muted">{w.noQuestions}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <ul class="phone-thread" tabIndex={0}>
            {results.map(({ id, text, answer }) => (
              <li key={id}>
                <p class="bubble">
                  <bdi>{visible(text)}</bdi>
                </p>
                <p class={answer ? 'bubble reply' : 'muted'}>
                  {answer ? <bdi>{visible(answer.text)}</bdi> : w.unanswered}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  )
}

function AskForm({ item }: { item: string }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const w = words().live
  const focus = () => field.current?.focus()
  const ask = () => {
    focus()
    if (document.activeElement === field.current) return
    // A picked entry is in its place.
    setQuery({ pick: undefined })
    requestAnimationFrame(focus)
  }
  useKeys([{ keys: 'a', title: w.ask, run: ask }])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') return
    await attempt(() => change(w.ask, 'POST /questions', { body: { item_id: item, text } })).then(
      () => setText(''),
      () => {},
    )
  }
  return (
    <form class="phone-ask" onSubmit={submit}>
      <input
        ref={field}
        value={text}
        maxLength={2000}
        aria-label={w.yourQuestion}
        placeholder={w.yourQuestion}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary">
        {w.ask}
      </button>
    </form>
  )
}
