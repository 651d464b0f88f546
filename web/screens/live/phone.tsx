import type { Schemas } from '../../../lib/types.ts'
import { NoListings, Show } from '../../parts/feedback.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { visible } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { change, read, worldId } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import { Purchase } from './purchase.tsx'
import { Bubble, Thread, WriteForm } from './thread.tsx'

const w = wordsOf('live')

const LISTINGS = 200

/** What a buyer sees and can do: the other side of the program under test. */
export function Phone({ item, order }: { item: string | undefined; order: number | undefined }) {
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
              <Listing key={listing.id} listing={listing} order={order} />
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
    aria-label={w.listing}
    value={chosen}
    onChange={({ currentTarget }) => setQuery({ item: currentTarget.value, order: undefined })}
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

/** A listing, with questions about it or with what follows its purchase. */
function Listing({ listing, order }: { listing: Schemas['Listing']; order: number | undefined }) {
  const { id, price, currency_id } = listing
  const contact = (title: string, said: string, kind: 'phone_view' | 'whatsapp') => ({
    ...{ title, said, run: () => change(title, 'POST /contacts', { body: { kind, item_id: id } }) },
  })
  const buy = async () => {
    const { order: made } = await change(w.buy, 'POST /orders', { body: { item_id: id } })
    setQuery({ item: id, order: String(made.id) })
  }
  const actions = [
    { title: w.buy, class: 'small primary', run: buy, said: w.bought },
    contact(w.viewPhone, w.phoneViewed, 'phone_view'),
    contact(w.clickWhatsapp, w.whatsappClicked, 'whatsapp'),
    { title: w.lead, run: () => change(w.lead, 'POST /loans', { body: { item_id: id } }), said: w.leadMade },
  ]
  return (
    <>
      <p class="phone-price">
        {money(price, currency_id, id)}
        <span class="muted mono"> {id}</span>
      </p>
      <div class="row">
        <ActionButtons class="small" of={actions} />
      </div>
      {order === undefined ? <Questions item={id} /> : <Purchase key={order} id={order} />}
    </>
  )
}

const QUESTIONS = 4

/** The latest questions about a listing, as a buyer sees them. */
function Questions({ item }: { item: string }) {
  const questions = useCall(
    'GET /questions',
    { query: { item_id: item, limit: QUESTIONS } },
    { refreshOn: (event) => event.type === 'fact' && event.topic === 'questions' },
  )
  const ask = (text: string) => change(w.ask, 'POST /questions', { body: { item_id: item, text } })
  return (
    <>
      <Show loaded={questions}>
        {({ results }) => (
          <Thread none={w.noQuestions}>
            {results.map(({ id, text, answer }) => (
              <li key={id}>
                <Bubble text={text} />
                {answer ? <Bubble text={answer.text} isReply /> : <p class="muted">{w.unanswered}</p>}
              </li>
            ))}
          </Thread>
        )}
      </Show>
      {canChange.value && <WriteForm action={w.ask} label={w.yourQuestion} keys="a" onSend={ask} />}
    </>
  )
}
