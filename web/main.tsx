import { render } from 'preact'
import { listenForKeys } from './parts/keys.ts'
import { Shell } from './shell/shell.tsx'
import { followClock } from './world/clock.ts'
import { followOverview } from './world/overview.ts'
import { followSettings } from './world/settings.ts'
import { openStream } from './world/stream.ts'

followSettings()
openStream()
followClock()
followOverview()
listenForKeys()
render(<Shell />, document.getElementById('app')!)
