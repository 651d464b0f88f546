import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty, Skeleton } from '../parts/feedback.tsx'
import { useKeys } from '../parts/keys.ts'
import { Toasts } from '../parts/toasts.tsx'
import { SCREENS } from '../screens/index.ts'
import type { Screen, ScreenProps } from '../screens/screen.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { needsToken } from '../world/client.ts'
import { address, go } from '../world/navigation.ts'
import { Header, LostStrip } from './header.tsx'
import { KeyHelp, openKeyHelp } from './key_help.tsx'
import { Navigation } from './navigation.tsx'
import { openPalette, Palette } from './palette.tsx'
import { TokenForm } from './token_form.tsx'

/** The frame of all screens. */
export function Shell() {
  const w = words()
  useKeys([
    { keys: '?', title: w.keys, run: openKeyHelp, isGlobal: true },
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
        <CurrentScreen />
      </main>
      <Palette />
      <KeyHelp />
      <Toasts />
    </div>
  )
}

const focusMain = () => document.getElementById('main')?.focus()

const loadedScreens = new Map<Screen, ComponentType<ScreenProps>>()

function CurrentScreen() {
  const { screen: name, path, query } = address.value
  const [failed, setFailed] = useState<Screen>()
  const [, setLoaded] = useState(0)
  const screen = SCREENS.find((one) => one.name === name)
  const title = screen?.title[language.value]
  const Content = screen && loadedScreens.get(screen)
  const w = words()

  useEffect(() => {
    document.title = `${title ?? w.notFound} · mercadito`
  }, [title])
  useEffect(() => {
    if (!screen || Content) return
    screen.load().then(
      (module) => {
        loadedScreens.set(screen, module.default)
        setLoaded(loadedScreens.size)
      },
      () => setFailed(screen),
    )
  }, [screen])

  if (!screen)
    return (
      <Empty icon="warning" title={w.notFound}>
        <a href="#/">{SCREENS[0]!.title[language.value]}</a>
      </Empty>
    )
  if (Content) return <Content key={name} path={path} query={query} />
  if (failed !== screen) return <Skeleton />
  return (
    <Empty icon="warning" title={w.outdated}>
      <button type="button" onClick={() => location.reload()}>
        {w.reload}
      </button>
    </Empty>
  )
}
