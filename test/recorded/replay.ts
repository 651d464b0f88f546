import { setImmediate, setTimeout } from 'node:timers/promises'
import type { TestApp } from '../support/app.ts'
import { type Call, type Exchange, planeOf, requestLine, textOf } from './exchange.ts'
import type { Script } from './fixtures.ts'
import { withoutDurations, withoutMeasures, withoutSizes } from './normal.ts'
import { serverOf } from './server.ts'

/** Ms after which a call counts as unanswered. */
const DEFAULT_TIMEOUT_MS = 5000

/** The answer as text: status, headers in their order, body. A closed connection counts as an answer. */
export async function answerOf({ server }: TestApp, call: Call, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<string> {
  const inTime = new AbortController()
  const late = setTimeout(timeoutMs, 'late' as const, { signal: inTime.signal }).catch(() => 'late' as const)
  try {
    const answer = await Promise.race([server.inject(call as never), late])
    if (answer === 'late') return 'no answer in time'
    const { statusCode, headers, rawPayload } = answer
    const lines = Object.entries(headers)
      .filter(([name]) => name !== 'date')
      .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    const text = [String(statusCode), ...lines, '', textOf(rawPayload)].join('\n')
    return /\/metrics([/?]|$)/.test(call.url) ? withoutMeasures(text) : withoutSizes(withoutDurations(text))
  } catch (error) {
    return `no answer: ${(error as Error).message}`
  } finally {
    inTime.abort()
  }
}

/** Waits until no notification is due or in flight. */
export async function settle({ server }: TestApp, { url, method }: Call): Promise<void> {
  if (method === 'GET' || method === 'HEAD') return
  const [base] = /^\/w\/[1-9]\d*(?=\/)/.exec(url) ?? ['']
  await server.inject({ method: 'POST', url: `${base}/_sandbox/settle` })
}

/** Sends the calls one after the other to a new world. */
export async function replay({ setup, calls }: Script): Promise<Exchange[]> {
  const { app, close } = await serverOf(setup)
  const exchanges: Exchange[] = []
  try {
    for (const [n, call] of calls.entries()) {
      // Injected calls resolve as microtasks only; without this, timers would not run until the last call.
      if (n % 50 === 0) await setImmediate()
      exchanges.push({ plane: planeOf(call.url), call: requestLine(call), answer: await answerOf(app, call) })
      if (setup.settles) await settle(app, call)
    }
    const faults = app.faults.map(({ message }) => message).join('\n')
    exchanges.push({ plane: 'fixed', call: 'faults of the server', answer: faults })
    return exchanges
  } finally {
    await close()
  }
}
