import { useEffect } from 'preact/hooks'
import { Empty } from '../parts/feedback.tsx'
import { useKeys } from '../parts/keys.ts'
import { notify, Toasts } from '../parts/toasts.tsx'
import { UndoDialog, undo } from '../parts/undo.tsx'
import { SCREENS } from '../screens/index.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { basePath, consoleOf } from '../world/base.ts'
import { needsToken, worldId } from '../world/client.ts'
import { go } from '../world/navigation.ts'
import { isWorldGone, onEvents } from '../world/stream.ts'
import { throttle } from '../world/throttle.ts'
import { CurrentScreen } from './current_screen.tsx'
import { Header, LostStrip } from './header.tsx'
import { KeyHelp, openKeyHelp } from './key_help.tsx'
import { Navigation } from './navigation.tsx'
import { openPalette, Palette } from './palette.tsx'
import { TokenForm } from './token_form.tsx'

/** Ms between two messages that events were missed: in a flood they never end. */
const MISSED_MS = 10_000
const sayMissed = throttle(MISSED_MS, () => notify(words().missed))

/** The frame of all screens. */
export function Shell() {
  const w = words()
  useKeys([
    { keys: '?', title: w.keys, run: openKeyHelp, isGlobal: true },
    { keys: 'z', title: w.undoLast, run: () => void undo(), isGlobal: true },
    ...SCREENS.map(({ name, title, letter }) => ({
      keys: `g ${letter}`,
      title: w.goTo(title[language.value]),
      run: () => go(`#/${name}`),
      isGlobal: true,
    })),
  ])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => onEvents((events) => events.some(({ type }) => type === 'gap') && sayMissed()), [])
  if (needsToken.value) return <TokenForm />
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={focusMain}>
        {w.skip}
      </button>
      <Header />
      <aside class="sidebar">
        <Navigation />
      </aside>
      <div id="navigation" popover="auto" class="drawer">
        <Navigation />
      </div>
      <main id="main" tabIndex={-1}>
        <LostStrip />
        {isWorldGone.value ? <WorldGone /> : <CurrentScreen />}
      </main>
      <Palette />
      <KeyHelp />
      <UndoDialog />
      <Toasts onUndo={(checkpoint) => void undo(checkpoint)} />
    </div>
  )
}

const focusMain = () => document.getElementById('main')?.focus()

/** Deleted and expired worlds leave their links behind. */
function WorldGone() {
  const w = words()
  return (
    <Empty icon="worlds" title={w.worldGone(worldId)} isPage>
      <p>{w.worldGoneWhy}</p>
      <a href={consoleOf(basePath(location.pathname), 1)}>{w.otherWorlds}</a>
    </Empty>
  )
}
