import { Icon } from '../parts/icons.tsx'
import { Badge } from '../parts/values.tsx'
import { words as w } from '../words/index.ts'
import { dayOf, timeOf } from '../words/time.ts'
import { clock, worldNow } from '../world/clock.ts'
import { overview } from '../world/overview.ts'
import { streamState } from '../world/stream.ts'
import { openPalette } from './commands.tsx'
import { Switcher } from './switcher.tsx'

/** What is true on every screen: the world, its time, and whether the page is up to date. */
export const Header = () => (
  <header class="header">
    <button type="button" class="plain menu-button" popovertarget="navigation" aria-label={w.menu}>
      <Icon name="menu" />
    </button>
    <a class="brand" href="#/">
      <Mark />
      mercadito
    </a>
    <Switcher />
    <WorldTime />
    <FaultMark />
    <StreamMark />
    <button type="button" class="search-button" onClick={() => openPalette()}>
      <Icon name="search" />
      <span>{w.search}</span>
      <kbd>Ctrl K</kbd>
    </button>
  </header>
)

const Mark = () => (
  <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M3 6.5 4.2 3.5h7.6L13 6.5a1.7 1.7 0 0 1-3.3.3 1.7 1.7 0 0 1-3.4 0A1.7 1.7 0 0 1 3 6.5ZM4 9v3.5h8V9" />
  </svg>
)

function WorldTime() {
  const now = worldNow.value
  const mode = clock.value?.mode
  if (now === undefined || mode === undefined) return <span class="world-time" />
  return (
    <a class="world-time" href="#/clock" title={w.worldTime}>
      <span class="world-day">{dayOf(now)}</span> <time dateTime={new Date(now).toISOString()}>{timeOf(now)}</time>
      <Badge tone={mode === 'real' ? 'plain' : 'info'}>{w[mode]}</Badge>
    </a>
  )
}

/** Rules that are on: answers of the API may not be what they seem. */
function FaultMark() {
  const active = overview.value?.faults.active ?? 0
  if (active === 0) return null
  return (
    <a class="badge fault-mark" data-tone="warn" href="#/faults" title={w.faultsActive(active)}>
      <Icon name="faults" /> <span>{w.faultsActive(active)}</span>
    </a>
  )
}

/** `Live`, as long as events arrive. The strip below says more when they do not. */
function StreamMark() {
  const state = streamState.value
  return (
    <span class="stream" data-state={state} role="status">
      <i />
      {state === 'lost' ? '' : w[state]}
    </span>
  )
}

export const LostStrip = () =>
  streamState.value === 'lost' ? (
    <p class="strip" role="alert">
      <Icon name="warning" /> {w.lost}
    </p>
  ) : null
