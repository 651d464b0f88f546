import { executionAsyncResource } from 'node:async_hooks'
import { registerHooks } from 'node:module'

// tap finds the test of an uncaught error with async-hook-domain, which follows every promise of the process: a fifth of the
// CPU of a run. The tests of a process run one after the other here, so the error is that of the latest one that has started.

const domains = new Set()
let isListening = false

function listen() {
  if (isListening) return
  isListening = true
  for (const type of ['uncaughtException', 'unhandledRejection']) process.on(type, (error) => report(error, type))
}

function report(error, type) {
  // Tests that listen themselves expect the error.
  if (process.listenerCount(type) > 1) return
  const domain = [...domains].findLast(({ test }) => test.started)
  if (!domain) throw error
  domain.onerror(error, type)
}

/** Stands in for the class of async-hook-domain; tap creates one for each test, in the scope of the test's own resource. */
export class Domain {
  constructor(onerror) {
    listen()
    this.onerror = onerror
    this.test = executionAsyncResource().test ?? { started: true }
    domains.add(this)
  }

  destroy() {
    domains.delete(this)
  }
}

registerHooks({
  resolve: (name, context, next) =>
    name === 'async-hook-domain' ? { url: import.meta.url, shortCircuit: true } : next(name, context),
})
