import type { ComponentType, TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Empty, Skeleton } from '../parts/feedback.tsx'
import { Input, valuesOf } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { useKeys } from '../parts/keys.ts'
import { ScreenTitle } from '../parts/page.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { UndoDialog, undo } from '../parts/undo.tsx'
import { iconOf, SCREEN_GROUPS, SCREENS, type Screen, screenOf, titleOf } from '../screens/index.ts'
import { words as w } from '../words/index.ts'
import { type Address, basePath, consoleOf } from '../world/address.ts'
import { baseUrl, enterToken, hasToken, needsToken, worldId } from '../world/client.ts'
import { address, correctScreen, go } from '../world/navigation.ts'
import { isWorldGone } from '../world/stream.ts'
import { openPalette, Palette } from './commands.tsx'
import { Header, LostStrip } from './header.tsx'
import { KeyHelp, openKeyHelp } from './key_help.tsx'

/** The frame of all screens. */
export function Shell() {
  useKeys([
    { keys: '?', title: w.keys, run: openKeyHelp, isGlobal: true },
    { keys: 'z', title: w.undoLast, run: () => void undo(), isGlobal: true },
    ...SCREENS.map(({ name, letter }) => ({
      keys: `g ${letter}`,
      title: w.goTo(titleOf(name)),
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
      <Button class="skip" title={w.skip} run={focusMain} />
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
      <Toasts onUndo={(snapshot) => void undo(snapshot)} />
    </div>
  )
}

const focusMain = () => document.getElementById('main')?.focus()

/** Deleted and expired worlds leave their links behind. */
const WorldGone = () => (
  <Empty icon="worlds" title={w.worldGone(worldId)} isPage>
    <p>{w.worldGoneWhy}</p>
    <a href={consoleOf(basePath(location.pathname), 1)}>{w.otherWorlds}</a>
  </Empty>
)

let styles: Promise<unknown> | undefined

/** The style sheet of the screens that are not seen first. */
function loadStyles(): Promise<unknown> {
  styles ??= new Promise((resolve, reject) => {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'stylesheet', onload: resolve, onerror: reject }))
    link.href = 'console.screens.css'
  })
  return styles
}

const loadedScreens = new Map<Screen, ComponentType<Address>>()

async function loadScreen({ name }: Screen): Promise<ComponentType<Address>> {
  if (name === '') return (await import('../screens/overview/overview.tsx')).default
  const [screens] = await Promise.all([import('../screens/others.ts'), loadStyles()])
  return screens[name as 'live']
}

/** The screen of the present address; its code is loaded when it is opened first. */
function CurrentScreen() {
  const { screen: name } = address.value
  const [failed, setFailed] = useState<Screen>()
  const [, setLoaded] = useState(0)
  const screen = screenOf(name)
  const title = screen && titleOf(screen.name)
  const Content = screen && loadedScreens.get(screen)

  useEffect(() => {
    document.title = `${title ?? w.notFound} · mercadito`
  }, [title])
  useEffect(() => screen && correctScreen(name, screen.name), [name])
  useEffect(() => {
    if (!screen || Content) return
    loadScreen(screen).then(
      (component) => {
        loadedScreens.set(screen, component)
        setLoaded(loadedScreens.size)
      },
      () => setFailed(screen),
    )
  }, [screen])

  if (!screen)
    return (
      <Empty icon="warning" title={w.notFound} isPage>
        <a href="#/">{titleOf('start')}</a>
      </Empty>
    )
  if (Content)
    return (
      <ScreenTitle.Provider value={title!}>
        <Content key={screen.name} {...address.value} />
      </ScreenTitle.Provider>
    )
  if (failed !== screen) return <Skeleton />
  return (
    <Empty icon="warning" title={w.outdated} isPage>
      <Button title={w.reload} run={() => location.reload()} />
    </Empty>
  )
}

/** The menu: always there where the page is wide, else a popover. */
function Navigation() {
  const { screen } = address.value
  const hide = () => document.getElementById('navigation')?.hidePopover?.()
  return (
    <nav class="navigation" aria-label={w.navigation}>
      {SCREEN_GROUPS.map((screens) => (
        <ul key={screens[0]!.name}>
          {screens.map((one) => (
            <li key={one.name}>
              <a href={`#/${one.name}`} aria-current={one.name === screen ? 'page' : undefined} onClick={hide}>
                <Icon name={iconOf(one)} />
                {titleOf(one.name)}
              </a>
            </li>
          ))}
        </ul>
      ))}
      <ul>
        <li>
          <a href={`${baseUrl}/docs`}>
            <Icon name="next" />
            {w.reference}
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** Covers the console while the server asks for the admin token: without it there is nothing to see. */
function TokenForm() {
  const enter = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    enterToken(valuesOf<{ token?: string }>(event.currentTarget).token ?? '')
    event.currentTarget.reset()
  }
  return (
    <main class="token-page">
      <form class="card stack" onSubmit={enter}>
        <h1>{w.adminToken}</h1>
        <p class="muted">{w.adminTokenWhy}</p>
        {hasToken() && (
          <p class="bad" role="alert">
            <Icon name="warning" /> {w.wrongToken}
          </p>
        )}
        <Input label={w.adminToken} name="token" type="password" required autofocus />
        <div class="buttons">
          <button type="submit" class="primary">
            {w.enter}
          </button>
        </div>
      </form>
    </main>
  )
}
