import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { defineCommand } from '../../domains/shared/commands.ts'
import { consoleUrl } from '../../lib/urls.ts'

interface Opened {
  url: string
  /** A browser was started. */
  opened: boolean
}

/** Statuses of `GET /whoami` of a server that has a console; it asks for the admin token itself. */
const READY_STATUSES = [200, 401]

export const consoleCommand = defineCommand<Opened>({
  name: 'console',
  description: 'Open the console of the world in a browser',
  flags: [{ flags: '--print', description: 'print the address, and open nothing' }],
  examples: ['console', 'console --print --url http://127.0.0.1:4400/w/2'],
  async run({ client, flags: { print } }) {
    const endpoint = 'GET /whoami'
    const answer = await client.request(endpoint)
    if (!READY_STATUSES.includes(answer.status)) client.requireSuccess(endpoint, answer)
    const url = consoleUrl(client.base)
    return { url, opened: !print && (await openBrowser(url)) }
  },
  format({ url, opened }, { flags: { print } }) {
    if (print) return url
    return opened ? `opened ${url}` : `no browser could be started; open ${url}`
  },
})

/** Programs that open an address in the default browser. No shell reads the address. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const OTHER_OPENER = ['xdg-open']

/** Opens an http address in the default browser; false if no program for it could be started. */
async function openBrowser(url: string, { platform, env } = process): Promise<boolean> {
  const opener = OPENERS[platform]
  // Without a display xdg-open would start a browser for terminals, or wait.
  if (!opener && env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined) return false
  const [program, ...args] = opener ?? OTHER_OPENER
  try {
    const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    // The browser may run for longer than this program.
    child.unref()
    return true
  } catch {
    return false
  }
}
