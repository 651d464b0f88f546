import type { Schemas } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { RemovableFilter } from '../../parts/filters.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/values.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { worldNow } from '../../world/clock.ts'
import type { Loaded } from '../../world/load.ts'
import { address } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words, wordsOf } from '../words.ts'

const w = wordsOf('clock')

/** What can be due, in the order of the screen. */
const KINDS = ['attempt', 'token', 'refresh_token', 'code', 'lead', 'question', 'shipment'] as const
type Kind = Due['kind']

/** The kind that an address names. */
export const kindIn = (text: string | undefined): Kind | undefined => KINDS.find((kind) => kind === text)

/** Entries of all kinds that are loaded at first and at most, and shown of each. */
export const FIRST_ENTRIES = 100
export const MAX_ENTRIES = 1000
const SHOWN_OF_KIND = 5

interface DueListProps {
  due: Loaded<Schemas['DueList']>
  /** Only entries of this kind are loaded. */
  kind: Kind | undefined
  /** Loads all; undefined if all are loaded. */
  onAll: (() => void) | undefined
  onTarget(target: number): void
}

/** What time will bring, by kind and in order. */
export const DueList = ({ due, kind, onAll, onTarget }: DueListProps) => (
  <section class="stack">
    <div class="row">
      <h2>{w.due}</h2>
      {kind && <RemovableFilter name="kind" title={w.kinds[kind]} />}
    </div>
    <Show loaded={due}>
      {(list) =>
        list.groups.length === 0 ? (
          <div class="card">
            <Empty icon="clock" title={w.nothingDue}>
              <p>{w.nothingDueWhy}</p>
            </Empty>
          </div>
        ) : (
          KINDS.filter((one) => (kind ?? one) === one).map((one) => (
            <DueOfKind key={one} list={list} of={one} kind={kind} onAll={onAll} onTarget={onTarget} />
          ))
        )
      }
    </Show>
  </section>
)

type OfKindProps = Omit<DueListProps, 'due'> & { list: Schemas['DueList']; of: Kind }

function DueOfKind({ list, of, kind, onAll, onTarget }: OfKindProps) {
  const total = list.groups.reduce((sum, one) => (one.kind === of ? sum + one.count : sum), 0)
  if (total === 0) return null
  const entries = list.results.filter((entry) => entry.kind === of).slice(0, kind ? undefined : SHOWN_OF_KIND)
  return (
    <section class="stack">
      <div class="row">
        <h3>
          {w.kinds[of]} <span class="muted">{number(total)}</span>
        </h3>
        {kind === undefined && entries.length < total && (
          <a href={formatAddress('clock', [], { ...address.value.query, kind: of })}>
            {w.showAll} <span class="hidden">{w.kinds[of]}</span>
          </a>
        )}
      </div>
      {entries.length > 0 && (
        <Rows
          label={w.kinds[of]}
          // Tokens have no id.
          rows={entries.map((entry, key) => ({ entry, key }))}
          total={kind ? total : entries.length}
          onMore={onAll}
          keyOf={({ key }) => key}
        >
          {({ entry }) => <DueRow entry={entry} onTarget={onTarget} />}
        </Rows>
      )}
    </section>
  )
}

function DueRow({ entry, onTarget }: { entry: Due; onTarget(target: number): void }) {
  const now = worldNow.value
  const { title, href } = describe(entry)
  const at = Date.parse(entry.at)
  return (
    <>
      <span>
        <bdi>{href ? <a href={href}>{visible(title)}</a> : visible(title)}</bdi>
      </span>
      <span class="muted">
        <time dateTime={entry.at}>{dateTimeOf(at)}</time> · {now !== undefined && distanceOf(at, now)}
      </span>
      {canChange.value && <Button class="small" title={w.goHere} run={() => onTarget(at)} />}
    </>
  )
}

export type Due = Schemas['Due']

/** Its words, and the address of what it concerns. */
export function describe({ kind, effect, id, user_id, n }: Due): { title: string; href?: string } {
  const name = String(id ?? '')
  if (effect === 'sent') return { title: w.attempt(n ?? 1, name), href: formatAddress('webhooks', [name]) }
  if (kind === 'token' || kind === 'refresh_token') return { title: w.token(user_id) }
  if (kind === 'code') return { title: w.code(user_id) }
  if (kind === 'question') return { title: w.questionGone(name), href: formatAddress('questions', [name]) }
  if (kind === 'shipment') {
    const state = effect === 'handed_over' ? w.handedOver : words.orders.states[effect as 'shipped']
    return { title: w.shipmentMoves(name, state) }
  }
  const title = effect === 'listed' ? w.leadListed : effect === 'unlisted' ? w.leadUnlisted : w.leadExpires
  return { title: title(name.slice(0, 8)), href: formatAddress('credits', [name]) }
}
