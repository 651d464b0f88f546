import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Journey, NOW, type Stage, scrollToRow, setHidden } from './stage.ts'

const ITEM = 'MLA1400000001'
const NOW_TEXT = new Date(NOW).toISOString()
const DAYS = 3
/** The server looks for old facts after each thousandth. */
const FACTS = 1000

/** Until events arrive. */
const isLive = (page: Page) => page.locator('.stream[data-state=live]').waitFor()
const entry = (page: Page, text: string) => page.locator('.timeline .entry', { hasText: text })
/** How Live calls a question. */
const questionOf = (id: number): string => `Pregunta …${String(id).slice(-4)}`
const rowsOf = (page: Page) => page.getByRole('table').getByRole('link')

const ask = async ({ control }: Stage, text: string) =>
  (await control.call('POST /questions', { body: { item_id: ITEM, text } })).id

/** Counts the streams of all tabs of a browser. */
function countStreams(page: Page): () => number {
  const open = new Set<unknown>()
  const isStream = (url: string) => url.includes('/_sandbox/events')
  page.context().on('request', (request) => isStream(request.url()) && open.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.context().on(end as 'requestfailed', (request) => open.delete(request))
  return () => open.size
}

export const journeys: Journey[] = [
  {
    title: 'watching: of eight tabs only the one in front has a stream, and each shows what it has missed',
    async run({ page, open, openTab, api }) {
      const streams = countStreams(page)
      await open('#/live')
      const tabs = [page]
      for (const tab of tabs) {
        await isLive(tab)
        await setHidden(tab, true)
        await tab.locator('.stream[data-state=closed]').waitFor()
        if (tabs.length < 8) tabs.push(await openTab(tabs.length % 2 === 0 ? '#/live' : '#/requests'))
      }
      for (const [n, tab] of tabs.entries()) {
        await setHidden(tab, false)
        await isLive(tab)
        await api(`GET /items/MLA140000000${n + 1}`)
        for (let seen = 1; seen <= n + 1; seen++)
          await tab.getByRole('table').getByText(`/items/MLA140000000${seen}`).waitFor()
        assert.equal(streams(), 1)
        await setHidden(tab, true)
      }
    },
  },
  {
    title: 'watching: a tab that is opened behind another one loads, and follows the world when it comes to the front',
    async run({ page, url, api }) {
      const streams = countStreams(page)
      await api('GET /currencies')
      await page.addInitScript("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
      await page.goto(`${url}/_sandbox/console/#/requests`)
      await rowsOf(page).getByText('/currencies').waitFor()
      assert.equal(await page.locator('.stream').innerText(), 'En pausa')
      assert.equal(streams(), 0)
      await api('GET /users/me')
      await setHidden(page, false)
      await rowsOf(page).getByText('/users/me').waitFor()
      await isLive(page)
    },
  },
  {
    title: 'watching: a tab behind another one shows the world that was restored meanwhile',
    async run(stage) {
      const { page, open, api, control } = stage
      await control.call('POST /snapshots', { body: { name: 'antes' } })
      await open('#/live')
      const former = await ask(stage, '¿Antes?')
      await entry(page, questionOf(former)).waitFor()
      await setHidden(page, true)
      await restore(stage, false)
      await api('GET /currencies')
      await setHidden(page, false)
      await entry(page, '/currencies').waitFor()
      await isLive(page)
      const next = await ask(stage, '¿Después?')
      await entry(page, questionOf(next)).waitFor()
      // Contacts follow after a second.
      const texts = await page.locator('.timeline .entry').allInnerTexts()
      const shown = texts.map((text) => text.replaceAll('\n', ' '))
      const expected = ['GET /currencies 200', 'Pregunta hecha', `${questionOf(next)} hecha`]
      const begins = shown.findIndex((text) => text.startsWith(expected[0]!))
      for (const [n, text] of expected.entries()) assert.ok(shown[begins + n]?.startsWith(text), shown.join('\n'))
      // Nothing of before is left but that it was restored.
      assert.ok(begins <= 1, shown.join('\n'))
    },
  },
  {
    title: 'watching: a kept world whose server stops and starts again is shown as it is then',
    server: { mode: 'kept' },
    async run(stage) {
      const { page, open, openBrowser, url, api, restart } = stage
      const id = await ask(stage, '¿Está guardado?')
      await api(`GET /questions/${id}`)
      await open(`#/questions/${id}`)
      const live = await openBrowser({})
      await live.goto(`${url}/_sandbox/console/#/live`)
      await entry(live, `/questions/${id}`).waitFor()
      await page.keyboard.press('e')
      await page.keyboard.type('Estoy escribiendo')
      await restart(async () => {
        for (const one of [page, live]) await one.getByRole('alert').getByText('Sin conexión').waitFor()
        // What was loaded stays, also what the person has typed.
        await page.locator('.bubble', { hasText: '¿Está guardado?' }).waitFor()
      })
      for (const one of [page, live]) {
        await isLive(one)
        await one.getByText('Sin conexión').waitFor({ state: 'detached' })
      }
      // The server has forgotten its calls, and begins to number them again.
      await entry(live, `/questions/${id}`).waitFor({ state: 'detached' })
      await api('GET /currencies')
      await entry(live, '/currencies').waitFor()
      assert.equal(await page.getByLabel('Responder como VENDEDOR_MLA').inputValue(), 'Estoy escribiendo')
      await page.keyboard.press('Control+Enter')
      await page.locator('.bubble[data-side="seller"]').getByText('Estoy escribiendo').waitFor()
      await entry(live, questionOf(id)).first().waitFor()
    },
  },
  {
    title: 'watching: after a gap in the stream everything loads again, without a word',
    async run(stage) {
      const { page, open, control } = stage
      const setStatus = (status: 'paused' | 'active') =>
        control.call('PATCH /items/{id}', { path: { id: ITEM }, body: { status } })
      await open('#/questions')
      await isLive(page)
      // The page has received an event: it asks for those after it when it is visible again.
      const former = await ask(stage, '¿Se ve antes del hueco?')
      await page.locator(`a[href="#/questions/${former}"]`).waitFor()
      await setStatus('paused')
      await setHidden(page, true)
      await setStatus('active')
      await control.call('POST /clock/advance', { body: { by: `${DAYS}d` } })
      for (let n = 0; n < FACTS; n += 2) {
        await setStatus('paused')
        await setStatus('active')
      }
      const id = await ask(stage, '¿Se ve después del hueco?')
      await setHidden(page, false)
      await page.locator(`a[href="#/questions/${id}"]`).waitFor()
      assert.equal(await page.locator('.toast').count(), 0)
    },
  },
  {
    title: 'watching: a tab that was too slow for a flood shows the present rows',
    async run({ page, open, api, control }) {
      await open('#/requests')
      await isLive(page)
      const session = await page.context().newCDPSession(page)
      await session.send('Debugger.enable')
      await session.send('Debugger.pause')
      // More than the buffers of the browser and the system take.
      const query = 'x'.repeat(30_000)
      for (let n = 0; n < 800; n++) await (await api(`GET /currencies?n=${n}&q=${query}`)).text()
      await api('GET /users/me')
      await session.send('Debugger.resume')
      await session.detach()
      await rowsOf(page).getByText('/users/me').waitFor()
      await isLive(page)
      const { paging } = await control.call('GET /requests', { query: { limit: 0 } })
      assert.ok(paging.total < 800)
      await page.getByText(`${paging.total} llamadas · ${801 - paging.total} llamadas anteriores ya no`).waitFor()
      await api('GET /sites')
      await rowsOf(page).getByText('/sites').waitFor()
    },
  },
  {
    title: 'watching: each screen follows a world that is restored, undone, reset and loaded',
    async run(stage) {
      const { control, openTab, page } = stage
      const tabs = {
        live: page,
        questions: await openTab(''),
        requests: await openTab(''),
        webhooks: await openTab(''),
      }
      await stage.open('#/live')
      await control.call('POST /snapshots', { body: { name: 'antes' } })
      await follow(stage, tabs, () => restore(stage, false))
      await follow(stage, tabs, () => restore(stage, true), { keepsCalls: true })
      await control.call('PATCH /items/{id}', {
        ...{ path: { id: ITEM }, body: { price: 1 }, snapshot: 'Cambiar el precio' },
      })
      await follow(stage, tabs, () => control.call('POST /undo'), { keepsCalls: true })
      await follow(stage, tabs, () => control.call('POST /reset'))
    },
  },
  {
    title: 'watching: a long list shows the rows of the world that was loaded',
    async run({ page, url, open, control }) {
      // Four questions more move all others.
      const { world } = await control.call('POST /worlds', { body: { from: 1, now: NOW_TEXT } })
      const other = control.world(world.id)
      for (let n = 0; n < 4; n++) await other.call('POST /questions', { body: { item_id: ITEM, text: '¿Más?' } })
      const { results } = await other.call('GET /questions', { query: { limit: 200 } })
      await open('#/questions')
      await isLive(page)
      for (const n of [54, 104]) await scrollToRow(page, n, page.locator(`[data-index="${n}"]`))
      const file = await (await fetch(`${other.url}/_sandbox/world`)).text()
      const headers = { 'content-type': 'application/json' }
      await fetch(`${url}/_sandbox/world`, { method: 'PUT', headers, body: file })
      for (const n of [0, 49, 99, 149]) {
        const { id, text } = results[n]!
        const row = page.locator(`[data-index="${n}"][href="#/questions/${id}"]`, { hasText: text.slice(0, 30) })
        await scrollToRow(page, n, row)
      }
    },
  },
]

const restore = ({ control }: Stage, keep_requests: boolean) =>
  control.call('POST /snapshots/{name}/restore', { path: { name: 'antes' }, body: { keep_requests } })

type Tabs = Record<'live' | 'questions' | 'requests' | 'webhooks', Page>

/** Something happens, its details are open in four tabs, and then the state of the world is replaced. */
async function follow(stage: Stage, tabs: Tabs, replace: () => Promise<unknown>, { keepsCalls = false } = {}) {
  const { control, api, info } = stage
  const path = { id: info.application.id }
  await control.call('PUT /applications/{id}/notifications', { path, body: { callback_url: 'inbox:' } })
  const question = await ask(stage, '¿Sigue?')
  await control.call('POST /settle')
  await api('POST /answers', { question_id: question, text: 'Sí' })
  await control.call('POST /settle')
  const [request] = (await control.call('GET /requests', { query: { order: 'desc', limit: 1 } })).results
  const [delivery] = (await control.call('GET /deliveries', { query: { limit: 1 } })).results

  for (const [name, id, text] of [
    ['questions', question, '¿Sigue?'],
    ['requests', request!.id, '/answers'],
    ['webhooks', delivery!.id, `/questions/${question}`],
  ] as const) {
    const tab = tabs[name]
    await tab.evaluate(`location.hash = '#/${name}/${id}'`)
    await tab.locator('article').getByText(text).first().waitFor()
  }
  const changes = entry(tabs.live, questionOf(question))
  await changes.first().click()
  const chain = tabs.live.getByRole('region', { name: 'Cadena' })
  await chain.getByText('/answers').waitFor()
  await replace()

  await tabs.questions.getByText(`La pregunta ${question} no existe`).waitFor()
  await tabs.questions.locator(`a[href="#/questions/${question}"]`).waitFor({ state: 'detached' })
  await tabs.webhooks.getByText(`La notificación ${delivery!.id} no existe`).waitFor()
  await tabs.webhooks.getByText(String(question)).waitFor({ state: 'detached' })
  await changes.first().waitFor({ state: 'detached' })
  await tabs.live.getByText('Lo elegido ya no está en memoria').waitFor()
  const call = tabs.requests.locator(`a[href="#/requests/${request!.id}"]`)
  if (keepsCalls) {
    await tabs.requests.getByText('1 cambio en un estado anterior del mundo').waitFor()
    await call.waitFor()
    await entry(tabs.live, '/answers').first().waitFor()
  } else {
    await tabs.requests.getByText(`La llamada ${request!.id} no está guardada`).waitFor()
    await call.waitFor({ state: 'detached' })
    await entry(tabs.live, '/answers').waitFor({ state: 'detached' })
  }
  // Its changes have the numbers of former ones, but other causes.
  await tabs.live.getByRole('button', { name: 'Cerrar' }).click()
  const next = await ask(stage, '¿Y ahora?')
  await entry(tabs.live, questionOf(next)).first().click()
  await chain.getByText('Pregunta hecha').waitFor()
  assert.equal(await chain.getByText('/answers').count(), 0)
}
