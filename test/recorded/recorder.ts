import { setImmediate, setTimeout } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import type { Options } from '../../app.ts'
import type { TestApp } from '../support/app.ts'
import { createWriter, type Exchange } from './exchange.ts'
import { serverOf } from './server.ts'

/** Ms after which a call counts as unanswered. */
const TIMEOUT_MS = 5000
const NO_ANSWER = { statusCode: 0, headers: {}, payload: '' }

type Inject = (
  call: InjectOptions,
) => Promise<{ statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer }>

interface Setup extends Partial<Options> {
  /** Deliveries change the world asynchronously: each call waits until those of the previous one have ended. */
  settles?: boolean
}

/** Writes all calls that a program makes to a new server, with their answers. */
export async function recordProgram(
  { settles, ...options }: Setup,
  program: (app: TestApp) => Promise<unknown>,
): Promise<Exchange[]> {
  const { app, close } = await serverOf(options)
  const { writeCall, writeAnswer } = createWriter(app)
  const exchanges: Exchange[] = []
  const inject = app.server.inject.bind(app.server) as Inject

  async function send(call: InjectOptions) {
    const inTime = new AbortController()
    const late = setTimeout(TIMEOUT_MS, undefined, { signal: inTime.signal }).catch(() => undefined)
    try {
      const answer = await Promise.race([inject(call), late])
      if (!answer) return { written: { body: 'no answer in time' }, answer: NO_ANSWER }
      return { written: writeAnswer(String(call.url), answer), answer }
    } catch (error) {
      // A closed connection must not end the program.
      return { written: { body: `no answer: ${(error as Error).message}` }, answer: NO_ANSWER }
    } finally {
      inTime.abort()
    }
  }

  async function settle({ url, method = 'GET' }: InjectOptions): Promise<void> {
    if (method === 'GET' || method === 'HEAD') return
    const [base] = /^\/w\/[1-9]\d*(?=\/)/.exec(String(url)) ?? ['']
    await inject({ method: 'POST', url: `${base}/_sandbox/settle` })
  }

  app.server.inject = (async (call: InjectOptions) => {
    // Injected calls resolve as microtasks only; without this, timers would not run until the last call.
    if (exchanges.length % 50 === 0) await setImmediate()
    const { written, answer } = await send(call)
    exchanges.push({ ...writeCall(call), ...written })
    if (settles) await settle(call)
    return answer
  }) as never
  try {
    await program(app)
    return [...exchanges, { call: 'unexpected errors of the server', body: app.faults.map(({ message }) => message) }]
  } finally {
    await close()
  }
}
