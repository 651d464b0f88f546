import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type App, build } from '../app.ts'
import { type Folder, keptFolder } from '../db/folders.ts'
import { HOME } from '../db/worlds.ts'
import { InvalidTarget, parseTarget } from '../domains/notifications/targets.ts'
import { type Ready, ready } from '../domains/sandbox/ready.ts'
import { clockOf } from './clock.ts'
import { control } from './control.ts'
import { fetchThrough } from './fetch.ts'
import { sharedNest } from './nest.ts'
import { readOptions, refuseOther } from './options.ts'
import { type Receiving, receiving } from './receiver.ts'
import type { Control, OpenSandbox, Person, Receiver, Sandbox, SandboxOptions } from './types.ts'

/** Where a sandbox without a port is: real connections there are refused by whoever is asked for them. */
const NOWHERE = 'http://localhost:0'
/** Ms that requests have left when it is closed. */
const LAST_MOMENT = 1000
/** Entries of a page of a list. */
const PAGE = 1000

/**
 * Opens a marketplace in this process. Throws a TypeError for options that cannot be, an Error where it cannot start.
 */
export const sandbox: OpenSandbox = async (options = {}) => {
  const receivers: Receiving[] = []
  /** The address of a target that may be a function. */
  async function addressOf(target: string | Receiver): Promise<string> {
    if (typeof target === 'string') return target
    const made = await receiving(target)
    receivers.push(made)
    return made.url
  }

  const { server, worlds, notify } = await opened(options)
  const stop = stopping(server)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= stop().then(() => {
      for (const receiver of receivers) receiver.close()
    })
    return closing
  }

  try {
    if (options.notify !== undefined) {
      const reach = { isExposed: false, allowlist: options.notifyAllow ?? [] }
      const callback_url = parseTarget(await addressOf(options.notify), reach).href
      await notify({ callback_url, profile: options.notifyProfile ?? 'ideal' })
    }
    const { port = 0, adminToken } = options
    const url = port === false ? NOWHERE : await server.listen({ host: '127.0.0.1', port })
    const home = (await worlds.hold(HOME))!
    let told: Ready
    try {
      told = await ready(url, home, worlds)
    } finally {
      worlds.letGo(home)
    }
    const own = fetchThrough(server.server, url)
    const ask: typeof fetch = (input, init) =>
      closing
        ? Promise.reject(new TypeError('fetch failed', { cause: new Error('the sandbox is closed') }))
        : own(input, init)
    const plane = control(url, { adminToken, fetch: ask })
    return {
      ...told,
      adminToken,
      control: plane,
      clock: clockOf(plane),
      fetch: ask,
      seller: (site) => personOf('seller', told.sellers, site),
      buyer: (site) => personOf('buyer', told.buyers, site),
      ...doing(plane),
      async notify(target, how = {}) {
        const callback_url = await addressOf(target)
        const path = { id: told.application.id }
        return plane.call('PUT /applications/{id}/notifications', { path, body: { ...how, callback_url } })
      },
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error instanceof InvalidTarget ? new TypeError(`sandbox: notify ${error.message}`) : error
  }
}

/**
 * Answers a function that ends the server: what runs has a moment to end, and no connection outlives the last of it.
 */
function stopping(server: FastifyInstance): () => Promise<void> {
  const http = server.server
  let running = 0
  http.on('request', (_, response) => {
    running++
    response.once('close', () => running--)
  })
  return async () => {
    // A client may have one open that it has not used yet, which the server would wait for.
    const look = setInterval(() => running === 0 && http.closeAllConnections(), 5)
    const cut = setTimeout(() => http.closeAllConnections(), LAST_MOMENT)
    try {
      await server.close()
    } finally {
      clearInterval(look)
      clearTimeout(cut)
    }
  }
}

/** The server with its world, which may be one that was kept. */
async function opened(options: SandboxOptions): Promise<App> {
  const { scenario, seed, now, switches, load, file, data } = readOptions(options)
  const isKept = data !== undefined
  const nest = isKept ? undefined : sharedNest()
  const folder: Folder = isKept ? keptFolder(data) : nest!.folder()
  const written = join(folder.path, 'load.json')
  if (file) writeFileSync(written, JSON.stringify(file), { mode: 0o600 })
  let app: App | undefined
  try {
    app = await build({
      folder,
      mode: isKept ? 'kept' : 'temporary',
      scenario,
      seed,
      now,
      switches,
      load: file ? written : load,
      secret: isKept,
      adminToken: options.adminToken,
      listed: options.notifyAllow ?? [],
      templates: nest?.templates,
      onFault: options.onFault ?? ((error) => console.error(error)),
    })
    const home = (await app.worlds.hold(HOME))!
    refuseOther(home, options)
    app.worlds.letGo(home)
    return app
  } catch (error) {
    if (app) await app.server.close()
    else folder.release()
    throw error
  } finally {
    if (file) rmSync(written, { force: true })
  }
}

function personOf(role: string, people: Person[], site: string | undefined): Person {
  const person = people.find(({ site_id }) => site === undefined || site_id === site)
  if (!person) throw new Error(`the world has no ${role}${site === undefined ? '' : ` of ${site}`}`)
  return person
}

/** What is short for control calls. */
const doing = ({ call }: Control) =>
  ({
    ask: (item_id, text, more) => call('POST /questions', { body: { ...more, item_id, text } }),
    answer: (question, text) =>
      call('PATCH /questions/{id}', {
        path: { id: typeof question === 'number' ? question : question.id },
        body: { answer: { text } },
      }),
    settle: () => call('POST /settle'),
    deliveries: (query) => everything((page) => call('GET /deliveries', { query: { ...query, ...page } })),
    requests: (query) => everything((page) => call('GET /requests', { query: { ...query, ...page } })),
    verify: (body) => call('POST /verify', { body }),
    reset: () => call('POST /reset'),
  }) satisfies Partial<Sandbox>

/** All pages of a list. */
async function everything<T>(
  page: (asked: { limit: number; offset: number }) => Promise<{ paging: { total: number }; results: T[] }>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { paging, results } = await page({ limit: PAGE, offset: all.length })
    all.push(...results)
    if (results.length === 0 || all.length >= paging.total) return all
  }
}
