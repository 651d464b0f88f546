import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { isRefused } from '../../parts/status.tsx'
import { durationOf } from '../../words/time.ts'
import { formatAddress, whyHref } from '../../world/address.ts'
import type { Links } from '../../world/chain.ts'
import type { Entry } from '../../world/entries.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { Content } from './cells.tsx'
import { CopyChain } from './copy_chain.tsx'

interface ChainProps {
  chain: Entry[]
  links: Links
  pick: string
}

/** The picked entry with what caused it and what followed, step by step. */
export function ChainStrip({ chain, links, pick }: ChainProps) {
  const w = words().live
  const close = () => setQuery({ pick: undefined })
  useKeys([{ keys: 'Escape', title: w.closeChain, run: close }])
  return (
    <section class="chain" aria-label={w.chain}>
      <header class="row">
        <h2 class="label">{w.chain}</h2>
        <CopyChain chain={chain} />
        <button type="button" class="plain small" onClick={close} aria-label={w.closeChain}>
          <Icon name="close" />
        </button>
      </header>
      {chain.length === 0 ? (
        <p class="muted">{w.noChain}</p>
      ) : (
        <ol>
          {chain.map((entry, n) => (
            <li key={entry.key} data-lane={entry.lane} data-picked={entry.key === pick}>
              <Step entry={entry} />
              <small class="muted">
                {w[entry.lane]}
                {n > 0 && ` · +${durationOf(Math.max(0, entry.realAt - chain[n - 1]!.realAt))}`}
                {links.causeOf.get(entry.key)?.inferred && ` · ${w.inferred}`}
              </small>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A step is a link where another screen shows more of it. */
function Step({ entry: { event } }: { entry: Entry }) {
  const href = hrefOf(event)
  const content = <Content event={event} />
  return href === undefined ? (
    <span class="entry">{content}</span>
  ) : (
    <a class="entry" href={href}>
      {content}
    </a>
  )
}

function hrefOf(event: Entry['event']): string | undefined {
  if (event.type === 'request')
    return isRefused(event.status) ? whyHref(event.id) : formatAddress('requests', [event.id])
  if (event.type === 'attempt') return formatAddress('webhooks', [event.delivery_id])
  if (event.type === 'delivery') return formatAddress('webhooks', [event.id])
  if (event.type === 'fact' && event.topic === 'questions')
    return formatAddress('questions', [event.resource.slice(event.resource.lastIndexOf('/') + 1)])
  return undefined
}
