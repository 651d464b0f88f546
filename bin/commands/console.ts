import { defineCommand } from '../../domains/shared/commands.ts'
import { consoleUrl } from '../../lib/urls.ts'
import { openBrowser } from '../open_browser.ts'

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
