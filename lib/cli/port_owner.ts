import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { text as readText } from 'node:stream/consumers'

/** Ms for an answer: another program may take connections and say nothing. */
const TIMEOUT_MS = 500
/** What only mercadito answers to `GET /livez`. */
const LIVE = '{"status":"live"}'

const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address of the mercadito that has a port; undefined if another program has it. */
export async function findMercadito(host: string, port: number): Promise<string | undefined> {
  const name = ANY_ADDRESS[host] ?? host
  const place = `${name.includes(':') ? `[${name}]` : name}:${port}`
  for (const address of [`http://${place}`, `https://${place}`]) if (await isMercadito(address)) return address
  return undefined
}

const isMercadito = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const send = address.startsWith('https:') ? overHttps : overHttp
    // Nothing is sent that another program must not read: its certificate does not matter.
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false, rejectUnauthorized: false }
    send(`${address}/livez`, options, (answer) =>
      readText(answer).then(
        (text) => resolve(answer.statusCode === 200 && text === LIVE),
        () => resolve(false),
      ),
    )
      .on('error', () => resolve(false))
      .end()
  })
