import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import type { ListedPlugin } from '../../http/plugin_list.ts'
import { bearer, start } from '../support/app.ts'

type Hook = (...args: unknown[]) => unknown
const PHASES = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend']

/** `phase, place: plugin` of each hook that has run. */
let trace: string[] = []

function tracedHook(label: string, hook: Hook): Hook {
  return function run(this: unknown, ...args: unknown[]) {
    trace.push(label)
    return hook.apply(this, args)
  }
}

/** Traces the hooks that an `onRoute` hook adds to a route. */
function tracedOnRoute(name: string, onRoute: Hook): Hook {
  return (route) => {
    const hooks = route as Record<string, Hook | Hook[] | undefined>
    const hooksOf = (phase: string) => [hooks[phase] ?? []].flat()
    const before = new Set(PHASES.flatMap(hooksOf))
    onRoute(route)
    for (const phase of PHASES)
      hooks[phase] = hooksOf(phase).map((hook) =>
        before.has(hook) ? hook : tracedHook(`${phase}, route: ${name}`, hook),
      )
  }
}

interface PluginMeta {
  [meta: symbol]: { name: string; dependencies: string[] }
}

/** The same plugin, whose hooks are traced. */
function tracedPlugin([plugin, options]: ListedPlugin): ListedPlugin {
  const { name, dependencies } = (plugin as unknown as PluginMeta)[Symbol.for('plugin-meta')]!
  const register = plugin as unknown as FastifyPluginAsync
  const traced = async (app: FastifyInstance, given: object) => {
    const addHook = app.addHook as (event: string, hook: Hook) => FastifyInstance
    const addTraced = (event: string, hook: Hook) => {
      if (event === 'onRoute') return addHook.call(app, event, tracedOnRoute(name, hook))
      return addHook.call(app, event, PHASES.includes(event) ? tracedHook(`${event}, API: ${name}`, hook) : hook)
    }
    Object.assign(app, { addHook: addTraced })
    await register(app, given)
    Object.assign(app, { addHook })
  }
  return [fp(traced, { name, dependencies }), options]
}

const app = await start(t, { autoSnapshots: 1, arrangePlugins: (plugins) => plugins.map(tracedPlugin) })

const page = new URL('../../docs/architecture.md', import.meta.url)
/** The hooks of the table in "Life of a request". That of the server is no API plugin, and not traced. */
const documented = [...readFileSync(page, 'utf8').matchAll(/^\| \d+ \| (\w+, (?:API|route)) \| ([\w ]+) \|/gm)].map(
  ([, place, plugin]) => `${place}: ${plugin}`,
)

t.test('the hooks of each kind of call run in the order that docs/architecture.md says', async (t) => {
  const { call, sellers } = app
  const headers = bearer(sellers[0]!.token)
  const seen = new Set<string>()
  const calls = [
    { url: '/users/me', headers },
    { url: '/openapi.json' },
    { method: 'POST', url: '/questions', headers, payload: '{}' },
    { method: 'HEAD', url: '/users/me', headers },
    { url: '/users/me' },
    { url: '/nowhere' },
    { url: '/users/me', headers: { 'x-sandbox-fault': '503' } },
  ] as const
  for (const options of calls) {
    trace = []
    await call(options)
    t.ok(trace.length > 0)
    t.strictSame(
      trace,
      documented.filter((hook) => trace.includes(hook)),
      JSON.stringify(options),
    )
    for (const hook of trace) seen.add(hook)
  }
  t.strictSame(
    documented.filter((hook) => !seen.has(hook)),
    [],
    'each of them runs in one of the calls',
  )
})

t.test('snapshots before writes have hooks on writes only, and none if their number is 0', async (t) => {
  const hooksOf = async ({ call, buyers }: typeof app) => {
    trace = []
    const headers = bearer(buyers[0]!.token)
    t.equal((await call({ url: '/users/me', headers })).status, 200)
    const reads = trace
    trace = []
    const payload = JSON.stringify({ item_id: 'MLA1400000001', text: '¿Hay stock?' })
    t.equal((await call({ method: 'POST', url: '/questions', headers, payload })).status, 201)
    return [reads, trace].map((hooks) => hooks.filter((hook) => hook.endsWith(': snapshots before writes')))
  }
  t.strictSame(await hooksOf(app), [[], ['preHandler, route: snapshots before writes']])
  const without = await start(t, { arrangePlugins: (plugins) => plugins.map(tracedPlugin) })
  t.strictSame(await hooksOf(without), [[], []])
})
