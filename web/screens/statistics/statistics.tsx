import { useComputed } from '@preact/signals'
import type { BodyOf } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show, Skeleton } from '../../parts/feedback.tsx'
import { SelectFilter, withChosen } from '../../parts/filters.tsx'
import { Choices, Input, Options, Select, titled } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { notify } from '../../parts/toasts.tsx'
import { visible } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { change, read, worldId } from '../../world/client.ts'
import { clock, worldNow } from '../../world/clock.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { go, setQuery } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'
import { Curves } from './curves.tsx'
import { KINDS, type Kind, rowsOf, UNIT_MS, type Unit, weeksOf } from './series.ts'

const w = wordsOf('statistics')

/** `#/statistics/2500000101?unit=hour&days=7&item=MLA1400000001&kind=phone_view` */
export default function Statistics({ path: [id], query }: Address) {
  const loaded = useLoad((signal) =>
    Promise.all([
      read('GET /users', { query: { kind: 'seller', limit: MAX_CHOICES }, signal }),
      read('GET /worlds/{id}', { path: { id: worldId }, signal }),
    ]),
  )
  return (
    <Show loaded={loaded}>
      {([{ results }, info]) => {
        const first = info.sellers[0] ?? results[0]
        const user = id === undefined ? first?.id : Number(id)
        if (user === undefined || Number.isNaN(user))
          return (
            <Empty icon="statistics" title={w.noSellers} isPage>
              <p>{w.noSellersWhy}</p>
              <a href="#/worlds">{w.newWorld}</a>
            </Empty>
          )
        if (!clock.value) return <Skeleton />
        const sellers = results.map((one) => [String(one.id), visible(one.nickname)] as const)
        return <SellerStatistics key={user} user={user} sellers={sellers} query={query} />
      }}
    </Show>
  )
}

/** Sellers and listings to choose from. */
const MAX_CHOICES = 500
const RANGES: Record<Unit, string[]> = { hour: ['1', '7', '30', '90'], day: ['30', '90', '365'], week: ['90', '365'] }
const DEFAULT_RANGE: Record<Unit, string> = { hour: '7', day: '90', week: '365' }
/** In the address: the person chooses dates. */
const CHOSEN = 'dates'
const UNITS = Object.keys(UNIT_MS) as Unit[]

type Choice = readonly [id: string, title: string]

interface SellerStatisticsProps {
  user: number
  sellers: Choice[]
  query: Record<string, string>
}

/** Of a world whose clock is known. */
function SellerStatistics({ user, sellers, query }: SellerStatisticsProps) {
  const unit = UNITS.find((one) => one === query.unit) ?? 'hour'
  const days = RANGES[unit].find((one) => one === query.days) ?? DEFAULT_RANGE[unit]
  const kind = KINDS.find((name) => name === query.kind) ?? 'phone_view'
  const { from, to } = query
  const isChosen = query.days === CHOSEN || Boolean(from || to)
  const series = useSeries(user, query.item, unit, { days, from, to })
  return (
    <Page
      head={
        <DialogButton title={w.simulate} keys="s">
          <Simulate user={user} />
        </DialogButton>
      }
    >
      <div class="row">
        <SubjectFields user={user} sellers={sellers} query={query} />
        <Choices
          label={w.unit}
          value={unit}
          options={titled(UNITS, w)}
          onValue={(value) => setQuery({ unit: value, days: undefined })}
        />
        <Choices
          label={w.range}
          value={isChosen ? CHOSEN : days}
          options={[...RANGES[unit].map((n) => [n, w.days(n)] as const), [CHOSEN, w.chosen] as const]}
          onValue={(value) => setQuery({ days: value, from: undefined, to: undefined })}
        />
        {isChosen && (
          <>
            <DateField label={w.from} name="from" value={from} />
            <DateField label={w.to} name="to" value={to} />
          </>
        )}
      </div>
      <Show loaded={series}>
        {(shown) => (
          <Curves key={`${shown.item} ${shown.unit} ${kind}`} user={user} {...shown} kind={kind} at={query.at} />
        )}
      </Show>
    </Page>
  )
}

/** A date of the address, UTC. */
const DateField = ({ label, name, value = '' }: { label: string; name: 'from' | 'to'; value: string | undefined }) => (
  <label class="select">
    <span>{label}</span>
    <input type="date" value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })} />
  </label>
)

interface Range {
  days: string
  /** Dates; without them the range is that of the last days. */
  from: string | undefined
  to: string | undefined
}

/** All curves of a listing, or of a seller, until a date or now. */
function useSeries(user: number, item: string | undefined, unit: Unit, range: Range) {
  const hour = useComputed(() => Math.floor(worldNow.value! / UNIT_MS.hour)).value
  return useLoad(
    async (signal) => {
      // The interval of the present hour is the last.
      const now = (hour + 1) * UNIT_MS.hour
      const end = Math.min(now, Date.parse(range.to ?? '') + UNIT_MS.day || now)
      const from = new Date(Date.parse(range.from ?? '') || end - Number(range.days) * UNIT_MS.day).toISOString()
      const to = end < now ? new Date(end).toISOString() : undefined
      const query = {
        ...(item ? { item_id: item } : { user_id: user }),
        ...{ unit: unit === 'week' ? ('day' as const) : unit, from, to },
      }
      const load = (kind: Kind) => read('GET /contacts/series', { query: { kind, ...query }, signal })
      const rows = rowsOf(await Promise.all(KINDS.map(load)))
      return { unit, item, to, rows: unit === 'week' ? weeksOf(rows) : rows }
    },
    {
      key: [user, item, unit, range.days, range.from, range.to, hour].join(),
      refreshOn: (event) => event.type === 'control' || (event.type === 'contact' && event.user_id === user),
    },
  )
}

/** The seller, and a listing or all. */
function SubjectFields({ user, sellers, query }: SellerStatisticsProps) {
  const loaded = useCall('GET /items', { query: { seller_id: user, limit: MAX_CHOICES } })
  const items = (loaded.data?.results ?? []).map(({ id, title }) => [id, `${visible(title)} · ${id}`] as const)
  return (
    <>
      <Select
        label={w.seller}
        value={String(user)}
        options={withChosen(sellers, String(user))}
        onValue={(id) => go(formatAddress('statistics', [id], { ...query, item: undefined }))}
      />
      <SelectFilter label={w.listing} name="item" all={w.allItems} options={withChosen(items, query.item)} />
    </>
  )
}

const PROFILES = ['quiet', 'normal', 'busy', 'peak'] as const

/** Generates traffic of buyers of the last days. */
function Simulate({ user }: { user: number }) {
  const submit = async (values: BodyOf<'POST /simulate'>) => {
    const done = await change(w.simulate, 'POST /simulate', { body: { ...values, user_id: user } })
    notify(w.simulated(number(done.phone_views), number(done.whatsapp), number(done.questions)))
  }
  return (
    <FormDialog title={w.simulate} onSubmit={submit}>
      <p class="muted">{w.simulateWhy}</p>
      <div class="field-row">
        <Input label={w.daysCount} name="days" type="number" min={1} max={365} value="30" required autofocus />
        <Options label={w.profile} name="profile" value="normal" options={titled(PROFILES, w)} />
        <Input label={w.seed} name="seed" type="number" min={0} hint={w.seedHint} />
      </div>
    </FormDialog>
  )
}
