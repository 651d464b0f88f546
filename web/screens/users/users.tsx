import { useState } from 'preact/hooks'
import type { Schemas } from '../../../lib/types.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Environment } from '../../parts/environment.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, SearchField } from '../../parts/filters.tsx'
import { Choices, Select } from '../../parts/form.tsx'
import { LimitedTable } from '../../parts/rows.tsx'
import { Split } from '../../parts/split.tsx'
import type { Column } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { SITES } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { type Site, type User, UserForm } from './form.tsx'

type Row = Schemas['ListedUser']

const FILTERS = ['kind', 'site', 'q']
/** In px, for two lines. */
const ROW_HEIGHT = 56
/** Listings and questions are counted. */
const REFRESH_MS = 2000

/** `#/users/2500000101?kind=seller&site=MLA` */
export default function Users({ path: [id], query }: Address) {
  const w = words().users
  const { kind, site, q } = query
  const [limit, setLimit] = useState(100)
  const open = id === undefined ? undefined : numberIn(id)
  const loaded = useCall(
    'GET /users',
    {
      query: {
        ...{ q: q || undefined, kind: (kind || undefined) as 'seller' | undefined, counts: 'true', limit },
        site_id: (site || undefined) as Site | undefined,
      },
    },
    { refreshOn: ({ type }) => type === 'control', refreshMs: REFRESH_MS },
  )
  const list = (
    <>
      <FilterBar title={w.title}>
        <DialogButton
          class="primary small"
          title={w.create}
          keys="+"
          dialog={(close) => <UserForm onClose={close} again={loaded.again} />}
        />
        <Choices
          label={w.kind}
          value={kind ?? ''}
          options={[
            ['', w.all],
            ['seller', w.sellers],
            ['buyer', w.buyers],
          ]}
          onValue={(one) => setQuery({ kind: one })}
        />
        <Select
          label={w.site}
          value={site ?? ''}
          options={[['', w.all], ...SITES.map((one) => [one, one] as const)]}
          onValue={(one) => setQuery({ site: one })}
        />
        <SearchField label={w.nickname} value={q} maxLength={100} />
      </FilterBar>
      <LimitedTable
        loaded={loaded}
        onLimit={setLimit}
        empty={<NoMatch title={w.noMatch} filters={FILTERS} />}
        label={w.title}
        columns={columns()}
        keyOf={(row) => row.id}
        hrefOf={(row) => formatAddress('users', [row.id], query)}
        openKey={open}
        rowHeight={ROW_HEIGHT}
        countOf={w.count}
      />
    </>
  )
  return (
    <Split
      heading={w.title}
      list={list}
      title={id ?? ''}
      detail={open === undefined ? undefined : <Opened key={open} id={open} />}
    />
  )
}

function columns(): Column<Row>[] {
  const w = words().users
  return [
    {
      title: w.nickname,
      width: 'minmax(8rem, 1fr)',
      cell: (user) => (
        <span class="two-lines">
          <bdi>{visible(user.nickname)}</bdi>
          <span class="second-line">
            <Badges user={user} />
            <span class="mono muted">{user.id}</span>
          </span>
        </span>
      ),
    },
    { title: w.site, width: '3.5rem', cell: ({ site_id }) => site_id },
    { title: w.listings, width: '7rem', isNumber: true, isWide: true, cell: ({ listings }) => number(listings ?? 0) },
    { title: w.questions, width: '6rem', isNumber: true, cell: ({ questions }) => number(questions ?? 0) },
  ]
}

function Badges({ user: { seller_reputation, status, operator } }: { user: User }) {
  const w = words().users
  const { level_id } = seller_reputation
  return (
    <>
      <span class="badge" data-tone={level_id ? 'info' : 'plain'}>
        {level_id ? w.seller(level_id) : w.buyer}
      </span>
      {status.site_status !== 'active' && (
        <span class="badge" data-tone="warn">
          {w.inactive}
        </span>
      )}
      {operator && <span class="badge">{w.operator}</span>}
    </>
  )
}

function Opened({ id }: { id: number }) {
  const w = words().users
  const loaded = useLoad((signal) => orNull(read('GET /users/{id}', { path: { id }, signal })), {
    refreshOn: ({ type }) => type === 'control',
  })
  return (
    <Show loaded={loaded}>
      {(user) => (user ? <Detail user={user} again={loaded.again} /> : <Empty icon="users" title={w.gone(id)} />)}
    </Show>
  )
}

function Detail({ user, again }: { user: User; again(): void }) {
  const w = words().users
  const { id, nickname, site_id, first_name, last_name, email, address, seller_reputation, registration_date } = user
  const isSeller = seller_reputation.level_id !== null
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>
          <bdi>{visible(nickname)}</bdi>
        </h2>
        <p class="row">
          <span class="mono muted">{id}</span> <Badges user={user} />
        </p>
        <div class="actions">
          <DialogButton
            title={w.edit}
            keys="e"
            dialog={(close) => <UserForm user={user} onClose={close} again={again} />}
          />
        </div>
      </header>
      <ActAs user={user} again={again} />
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
function ActAs({ user: { id, token }, again }: { user: User; again(): void }) {
  const w = words().users
  const create = () =>
    void attempt(() => change(w.newToken, 'POST /tokens', { body: { user_id: id } })).then(again, () => {})
  return (
    <section class="card stack" aria-label={w.actAs}>
      <h3>{w.actAs}</h3>
      {token ? (
        <Environment token={token} />
      ) : (
        canChange.value && (
          <button type="button" onClick={create}>
            {w.newToken}
          </button>
        )
      )}
    </section>
  )
}
