import fs from 'node:fs'
import { Session } from 'node:inspector/promises'
import { syncBuiltinESMExports } from 'node:module'
import t, { type Test } from 'tap'
import { ITEM, start, type TestApp } from '../support/app.ts'
import { follow, urlOf } from '../support/event_stream.ts'
import { until } from '../support/until.ts'

const KINDS = 'fact,attempt,topic_off,request,control,clock,world,contact'
/** What builds events, and what reads them for a stream. */
const BUILDERS = [
  'eventMessage',
  'eventsAfter',
  'finishedAttemptsAfter',
  'openStream',
  'presentClockChange',
  'presentControlCall',
  'presentRequestEvent',
  'redactedAddress',
  'sseMessage',
]

/** Calls of each kind that a stream reports. */
async function makeCalls({ control, sellers, buyers }: TestApp): Promise<void> {
  await buyers[0]!.post('/questions', { item_id: ITEM, text: '¿Envían?' })
  await sellers[0]!.get('/users/me')
  await sellers[0]!.get('/nothing')
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  await control(`PATCH /items/${ITEM}`, { status: 'active' })
  await control('POST /clock/advance', { by: '1h' })
  await control('POST /contacts', { kind: 'phone_view', item_id: ITEM })
  await control('POST /settle')
}

/** Returns the builders that ran since the last call. */
async function watchBuilders(t: Test): Promise<() => Promise<string[]>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  t.teardown(async () => {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const called = result.flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0]!.count > 0))
    // The bundler appends a number where two functions have one name.
    const ran = called.map(({ functionName }) => functionName.replace(/\d+$/, ''))
    return BUILDERS.filter((name) => ran.includes(name))
  }
}

t.test('no event is built while no stream is open', async (t) => {
  const app = await start(t)
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const ranBuilders = await watchBuilders(t)
  await makeCalls(app)
  t.strictSame(await ranBuilders(), [])

  const { response, untilSome } = await follow(t, `${urlOf(app.server)}/_sandbox/events?kinds=${KINDS}`)
  await untilSome(() => true)
  await makeCalls(app)
  for (const kind of ['fact', 'request', 'control', 'clock', 'contact']) await untilSome(({ event }) => event === kind)
  t.strictSame(await ranBuilders(), BUILDERS)

  response.destroy()
  await until('a server that has noticed the end of the stream', async () => {
    await ranBuilders()
    await makeCalls(app)
    return (await ranBuilders()).length === 0
  })
})

t.test('nothing of the console is read before it is opened', async (t) => {
  const { readFileSync } = fs
  const files: string[] = []
  fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...options: never[]) => {
    files.push(String(path))
    return readFileSync(path, ...options)
  }) as typeof readFileSync
  syncBuiltinESMExports()
  t.teardown(() => {
    fs.readFileSync = readFileSync
    syncBuiltinESMExports()
  })
  const consoleFiles = () => files.filter((path) => path.includes('/console.')).map((path) => path.split('/').at(-1))
  const app = await start(t)
  await app.server.ready()
  await makeCalls(app)
  t.ok(files.length > 0)
  t.strictSame(consoleFiles(), [])
  await app.call({ url: '/_sandbox/console/', headers: { host: 'localhost' } })
  t.strictSame(consoleFiles(), ['console.index.html'])
})
