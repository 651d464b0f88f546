import type { InjectOptions } from 'fastify'
import type { TestApp } from '../../support/app.ts'
import type { Call } from '../exchange.ts'

type Injected = InjectOptions | string

function asCall(injected: Injected): Call {
  if (typeof injected === 'string') return { method: 'GET', url: injected }
  const { method = 'GET', url, headers, payload } = injected
  return {
    method,
    url: String(url),
    ...(headers && Object.keys(headers).length > 0 && { headers: headers as Record<string, string> }),
    ...(payload !== undefined && {
      payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    }),
  }
}

/** Records all calls that are injected from now on, in order. */
export function recordCalls({ server }: TestApp): Call[] {
  const calls: Call[] = []
  const inject = server.inject.bind(server) as (injected: Injected) => Promise<unknown>
  server.inject = ((injected: Injected) => {
    calls.push(asCall(injected))
    // A closed connection must not end the script.
    return inject(injected).catch(() => ({ statusCode: 0, headers: {}, payload: '' }))
  }) as never
  return calls
}
