import type { Schemas } from '../../../lib/types.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Environment } from '../../parts/environment.tsx'
import { Found } from '../../parts/feedback.tsx'
import { ChoicesFilter, FilterBar, NoMatch, SearchField, SelectFilter } from '../../parts/filters.tsx'
import { ActionButtons, DetailHead, TwoLines } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import { Split } from '../../parts/split.tsx'
import type { Column } from '../../parts/table.tsx'
import { Badge, FactList, foreign } from '../../parts/values.tsx'
import { SITES } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, filtersOf, formatAddress, numberIn } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useFound } from '../../world/load.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { type User, UserForm } from './form.tsx'

const w = wordsOf('users')

type Row = Schemas['ListedUser']

/** Members of the address that filter the list. */
const FILTERS = ['kind', 'site', 'q']

/** Listings and questions are counted. */
const REFRESH_MS = 2000

/** `#/users/2500000101?kind=seller&site=MLA` */
export default function Users({ path: [id], query }: Address) {
  const open = id === undefined ? undefined : numberIn(id)
  const users = useWhole(
    'GET /users',
    { ...filtersOf(query, FILTERS), counts: 'true' },
    { refreshOn: ['control'], refreshMs: REFRESH_MS },
  )
  const kinds = [['seller', w.sellers] as const, ['buyer', w.buyers] as const]
  const list = (
    <>
      <FilterBar>
        <DialogButton class="primary small" title={w.create} keys="+">
          <UserForm />
        </DialogButton>
        <ChoicesFilter label={w.kind} name="kind" options={kinds} />
        <SelectFilter label={w.site} name="site" options={SITES} />
        <SearchField label={w.nickname} maxLength={100} />
      </FilterBar>
      <ListTable
        list={users}
        empty={<NoMatch title={w.noMatch} filters={FILTERS} />}
        columns={columns()}
        openKey={open}
        isTall
        countOf={w.count}
      />
    </>
  )
  return <Split list={list} title={id ?? ''} detail={open !== undefined && <Opened key={open} id={open} />} />
}

const columns = (): Column<Row>[] => [
  {
    title: w.nickname,
    width: 'minmax(8rem, 1fr)',
    cell: (user) => (
      <TwoLines first={foreign(user.nickname)}>
        <Badges user={user} />
        <span class="mono muted">{user.id}</span>
      </TwoLines>
    ),
  },
  { title: w.site, width: '3.5rem', cell: ({ site_id }) => site_id },
  { title: w.listings, width: '7rem', class: 'wide number', cell: ({ listings }) => number(listings ?? 0) },
  { title: w.questions, width: '6rem', class: 'number', cell: ({ questions }) => number(questions ?? 0) },
]

function Badges({ user: { seller_reputation, status, operator } }: { user: User }) {
  const { level_id } = seller_reputation
  return (
    <>
      <Badge tone={level_id ? 'info' : 'plain'}>{level_id ? w.sellerOf(level_id) : w.isBuyer}</Badge>
      {status.site_status !== 'active' && <Badge tone="warn">{w.inactive}</Badge>}
      {operator && <Badge>{w.operator}</Badge>}
    </>
  )
}

const Opened = ({ id }: { id: number }) => (
  <Found loaded={useFound('GET /users/{id}', { path: { id } }, { refreshOn: ['control'] })} gone={w.gone(id)}>
    {(user) => <Detail user={user} />}
  </Found>
)

function Detail({ user }: { user: User }) {
  const { id, nickname, site_id, first_name, last_name, email, address, seller_reputation, registration_date } = user
  const isSeller = seller_reputation.level_id !== null
  return (
    <article class="stack">
      <DetailHead title={nickname} id={id} badges={<Badges user={user} />}>
        <DialogButton title={w.edit} keys="e">
          <UserForm user={user} />
        </DialogButton>
      </DetailHead>
      <ActAs user={user} />
      <FactList
        of={[
          [w.site, site_id],
          [w.name, `${first_name} ${last_name}`.trim() || null],
          [w.email, email],
          [w.city, address.city || null],
          ['Flex', isSeller ? (user.flex_lacks ?? w.possible) : null],
          [w.registered, dateTimeOf(registration_date)],
        ]}
      />
      <p class="row">
        {isSeller && <a href={formatAddress('listings', [], { seller: String(id) })}>{w.listings}</a>}
        <a href={formatAddress('questions', [], { [isSeller ? 'seller' : 'from']: String(id) })}>{w.questions}</a>
        <a href={formatAddress('requests', [], { user: String(id) })}>{w.calls}</a>
        <a href={formatAddress('settings', ['tokens'], { user_id: String(id) })}>{w.tokens}</a>
      </p>
    </article>
  )
}

/** A token with which a program is this user. */
function ActAs({ user: { id, token } }: { user: User }) {
  const create = () => change(w.newToken, 'POST /tokens', { body: { user_id: id } })
  return (
    <section class="card stack" aria-label={w.actAs}>
      <h3>{w.actAs}</h3>
      {token ? <Environment token={token} /> : <ActionButtons of={[{ title: w.newToken, run: create }]} />}
    </section>
  )
}
