import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty, Skeleton } from '../parts/feedback.tsx'
import { SCREENS } from '../screens/index.ts'
import type { Screen, ScreenProps } from '../screens/screen.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { address } from '../world/navigation.ts'

const loadedScreens = new Map<Screen, ComponentType<ScreenProps>>()

/** The screen of the present address; its code is loaded when it is opened first. */
export function CurrentScreen() {
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
      <Empty icon="warning" title={w.notFound} isPage>
        <a href="#/">{SCREENS[0]!.title[language.value]}</a>
      </Empty>
    )
  if (Content) return <Content key={name} path={path} query={query} />
  if (failed !== screen) return <Skeleton />
  return (
    <Empty icon="warning" title={w.outdated} isPage>
      <button type="button" onClick={() => location.reload()}>
        {w.reload}
      </button>
    </Empty>
  )
}
