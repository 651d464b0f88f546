import { render } from 'preact'
import { listenForKeys } from './parts/keys.ts'
import { Shell } from './shell/shell.tsx'
import { followClock } from './world/clock.ts'
import { followOverview } from './world/overview.ts'
import { openStream } from './world/stream.ts'

openStream()
followClock()
followOverview()
listenForKeys()
render(<Shell />, document.getElementById('app')!)
