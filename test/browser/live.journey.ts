import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { copyWith, openTerminal } from './programs.ts'
import { type Journey, type Stage, setHidden } from './stage.ts'

/** Starts a receiver that answers webhooks with a status, and has the server notify it. */
async function startReceiver({ control, info }: Stage, status: number): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await control.call('PUT /applications/{id}/notifications', {
    path: { id: info.application.id },
    body: { callback_url: `http://127.0.0.1:${port}/` },
  })
  return server
}

/** The lanes of the steps of the chain. */
const lanesOf = (page: Page): Promise<string[]> =>
  page.locator('.chain li').evaluateAll((steps) => steps.map((step) => step.dataset.lane))

/** The lanes of each line in sight. */
const linesOf = (page: Page): Promise<string[]> =>
  page
    .locator('.timeline .table-body .table-row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('[data-lane]:has(.entry)')].map((cell) => cell.getAttribute('data-lane')).join('+'),
      ),
    )

async function untilTitle(page: Page, title: string): Promise<void> {
  for (let tries = 0; (await page.title()) !== title && tries < 200; tries++) await page.waitForTimeout(50)
  assert.equal(await page.title(), title)
}

const ITEM = 'MLA1400000001'

const entry = (text: string) => `.timeline .entry:has-text("${text}")`

export const journeys: Journey[] = [
  {
    title: 'live: ask, follow the chain to the refused call, see why, and copy it as a test that passes',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    async run(stage) {
      const { page, open, api, info } = stage
      await open('#/live')
      await page.getByText('Todavía no pasó nada').waitFor()
      const receiver = await startReceiver(stage, 200)
      try {
        await page.keyboard.press('a')
        await page.keyboard.type('¿Hacen envíos?')
        await page.keyboard.press('Enter')
        await page.locator(entry('Pregunta hecha')).waitFor()
        await page.locator('.timeline .entry:has(meter)').first().waitFor()
        const bubble = page.locator('.bubble', { hasText: '¿Hacen envíos?' })
        await bubble.waitFor()
        const [asked, form] = await Promise.all([bubble.boundingBox(), page.locator('.phone-ask').boundingBox()])
        assert.ok(asked!.y + asked!.height < form!.y, 'the newest question is in view')
        const search = await api(`GET /questions/search?seller_id=${info.sellers[0]!.id}&status=UNANSWERED&limit=1`)
        const { questions } = (await search.json()) as { questions: { id: number }[] }
        const { id } = questions[0]!
        await api('POST /answers', { question: id, text: 'Sí' })
        await page.locator(`${entry('/answers')}:has-text("400")`).waitFor()
        await api('POST /answers', { question_id: id, text: 'Sí, a todo el país' })
        await page.locator('.bubble[data-side="seller"]', { hasText: 'Sí, a todo el país' }).waitFor()
        await page.locator(entry('Pregunta hecha')).click()
        const chain = page.getByRole('region', { name: 'Cadena' })
        await chain.getByText('Pregunta hecha').waitFor()
        await chain.getByText(`Pregunta …${String(id).slice(-4)} respondida`).waitFor()
        await page.waitForURL(/#\/live\?pick=c\d+$/)
        // Each change has a webhook to the seller and one to the buyer.
        await page.locator('.chain [data-lane="webhooks"]').nth(3).waitFor()
        const before = await lanesOf(page)
        const answered = ['calls', 'changes', 'webhooks', 'webhooks']
        assert.deepEqual(before, ['outside', 'changes', 'webhooks', 'webhooks', 'calls', 'calls', ...answered])
        await page.reload()
        await chain.getByText('Pregunta hecha').waitFor()
        assert.deepEqual(await lanesOf(page), before, 'the chain is the same after a reload')
        await page.getByRole('heading', { name: 'En vivo' }).click()
        await page.keyboard.press('t')
        const test = page.getByRole('dialog', { name: 'Copiar como prueba' })
        await test
          .getByText(/question_id.*question/)
          .first()
          .waitFor()
        await test.getByRole('radio', { name: 'Node' }).check()
        const copied = await copyWith(test.getByRole('button', { name: 'Copiar' }), page)
        const terminal = await openTerminal(`export MERCADITO_TOKEN=${info.sellers[0]!.token}`)
        // The buyer asks again, the wrong answer is rejected again, and the right one accepted.
        assert.match(
          await terminal.run('Node', copied, `'${process.execPath}' --test call.mjs`),
          /\bpass 1\n.*fail 0\n/,
        )
        terminal.close()
        await page.keyboard.press('Escape')
        await page
          .locator(`${entry('/answers')}:has-text("400")`)
          .first()
          .click()
        // The panel has the reason, and what was sent and answered; one key opens the rest.
        const panel = page.getByRole('region', { name: 'Lo elegido' })
        await panel.getByText('¿quisiste decir question_id?').waitFor()
        await panel.getByText('Valid attributes are').waitFor()
        await chain.getByText('Pregunta hecha').click()
        await panel.getByText('POST /questions → 201').waitFor()
        await chain.locator('[data-lane="webhooks"] .entry').first().click()
        await panel.getByText('"resource"').waitFor()
        await page.goBack()
        await panel.getByText('POST /questions → 201').waitFor()
        await page.goBack()
        await panel.getByText('¿quisiste decir question_id?').waitFor()
        await page.keyboard.press('w')
        await page.getByRole('heading', { name: 'Arreglo' }).waitFor()
      } finally {
        receiver.close()
      }
    },
  },
  {
    title: 'live: pause counts what waits, and the filter keeps lines',
    async run({ page, open, api }) {
      await api('GET /users/me')
      await open('#/live')
      await page.locator(entry('/users/me')).waitFor()
      await page.keyboard.press('p')
      await page.getByRole('button', { name: 'Seguir' }).waitFor()
      await api('GET /currencies')
      await page.getByRole('button', { name: 'Seguir · 1 espera' }).waitFor()
      assert.equal(await page.locator(entry('/currencies')).count(), 0)
      await page.keyboard.press('p')
      await page.locator(entry('/currencies')).waitFor()
      await page.getByRole('searchbox').fill('users')
      await page.locator(entry('/currencies')).waitFor({ state: 'detached' })
      await page.waitForURL(/#\/live\?q=users$/)
      await api('POST /answers', {})
      await page.getByRole('searchbox').fill('')
      await page.getByRole('combobox', { name: 'Estado' }).selectOption({ label: 'rechazado' })
      await page.locator(entry('/users/me')).waitFor({ state: 'detached' })
      await page.locator(entry('/answers')).waitFor()
      await page.getByRole('combobox', { name: 'Usuario' }).selectOption({ label: 'VENDEDOR_MLA' })
      await page.waitForURL(/#\/live\?status=refused&user=\d+$/)
      await page.getByRole('combobox', { name: 'Ver' }).selectOption({ label: 'Notificaciones' })
      await page.getByText('Nada coincide').waitFor()
      await page.getByRole('button', { name: 'Quitar filtros' }).click()
      await page.locator(entry('/users/me')).waitFor()
    },
  },
  {
    title: 'live: the latest line stays in view; what is out of sight is counted, also in the title of a hidden tab',
    async run({ page, open, api }) {
      for (let n = 0; n < 40; n++) await api(`GET /currencies?n=${n}`)
      await open('#/live')
      const latest = page.locator(entry('n=39'))
      await latest.click()
      const panel = page.getByRole('region', { name: 'Lo elegido' })
      await panel.getByText('n=39').first().waitFor()
      const [line, beside] = await Promise.all([latest.boundingBox(), panel.boundingBox()])
      assert.ok(line!.y + line!.height <= 720 && line!.x + line!.width <= beside!.x)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.keyboard.press('Escape')
      await latest.click()
      await panel.getByRole('button', { name: 'Cerrar' }).click()
      await latest.waitFor()
      await page.setViewportSize({ width: 1280, height: 720 })
      await latest.waitFor()
      await page.locator('.timeline').evaluate((table) => table.scrollTo({ top: 0 }))
      await page.getByRole('button', { name: 'Ir a lo último' }).waitFor()
      await api('GET /currencies?n=40')
      await api('POST /answers', {})
      await page.getByRole('button', { name: '↓ 2 nuevos, 1 rechazado' }).click()
      await page.locator(entry('n=40')).waitFor()
      await untilTitle(page, 'En vivo · mercadito')
      await setHidden(page, true)
      await api('GET /sites')
      await api('POST /answers', {})
      await untilTitle(page, '2 nuevos, 1 rechazado · En vivo · mercadito')
      await setHidden(page, false)
      await page.locator(entry('/sites')).waitFor()
      await untilTitle(page, 'En vivo · mercadito')
      for (const name of ['live', 'requests']) {
        await open(`#/${name}`)
        await page.locator('.table [data-index]').first().waitFor()
        // The element is removed before the browser reports that it has scrolled, which must cause no error.
        await page.evaluate(`{
          const table = document.querySelector('.table')
          table.scrollTo({ top: table.scrollTop > 0 ? 0 : table.scrollHeight })
          location.hash = '#/clock'
        }`)
        await page.getByRole('heading', { name: 'Reloj' }).waitFor()
      }
    },
  },
  {
    title: 'live: entries keep the order of real time when the clock moves and a snapshot is restored',
    // Without shipments, which the clock would move.
    server: { scenario: 'empty' },
    async run({ page, open, api, control, info }) {
      const body = { title: 'Mouse', seller_id: info.sellers[0]!.id }
      const { id: item_id } = await control.call('POST /items', { body })
      await control.call('POST /snapshots', { body: { name: 'antes' } })
      await control.call('POST /questions', { body: { item_id, text: '¿Una?' } })
      await control.call('POST /clock/advance', { body: { by: '31d' } })
      const { id } = await control.call('POST /questions', { body: { item_id, text: '¿Dos?' } })
      await api('GET /sites')
      await control.call('PUT /clock', { body: { mode: 'frozen', now: '2026-03-01T00:00:00.000Z' } })
      await api('POST /answers', { question_id: id, text: 'Sí' })
      await open('#/live')
      const expected = ['outside+changes', 'outside', 'outside+changes', 'calls', 'outside', 'calls+changes']
      assert.deepEqual((await linesOf(page)).slice(-6), expected)
      // How far the world is from real time is said where it changes.
      const shifts = await page.locator('.timeline-time .muted').allInnerTexts()
      assert.equal(shifts.length, 3)
      assert.match(shifts.join(), /^(−\d+ d,?){3}$/)
      const path = { name: 'antes' }
      await control.call('POST /snapshots/{name}/restore', { path, body: { keep_requests: true } })
      await api('GET /currencies')
      await page.locator(entry('/currencies')).waitFor()
      await page.locator(entry('Instantánea restaurada')).waitFor()
      assert.deepEqual((await linesOf(page)).slice(-2), ['outside', 'calls'])
    },
  },
  {
    title: 'live: a reset by another process says who made it, when, and what to do',
    async run({ page, open, api, url, control }) {
      await api('GET /sites')
      await open('#/live')
      await page.locator(entry('/sites')).waitFor()
      await fetch(`${url}/_sandbox/reset`, { method: 'POST', headers: { 'user-agent': 'mercadito reset' } })
      await page.getByText(/^Mundo reiniciado con mercadito reset, \d\d:\d\d$/).waitFor()
      assert.equal(await page.getByText('Todavía no pasó nada').count(), 0)
      await page.locator('.empty').getByRole('link', { name: 'Mundos' }).waitFor()
      await api('GET /currencies')
      await page.locator(entry('/currencies')).waitFor()
      await control.call('POST /clock/advance', { body: { by: '1d' } })
      await page.locator('.timeline .entry:has(.icon)').waitFor()
      await page.locator(entry('Mundo reiniciado')).click()
      await page
        .getByRole('region', { name: 'Lo elegido' })
        .getByText(/^POST \/reset → 2/)
        .waitFor()
    },
  },
  {
    title: 'live: the chain of a program that polls ends, also as a test',
    async run(stage) {
      const { page, open, api, info, control } = stage
      await open('#/live')
      const receiver = await startReceiver(stage, 200)
      try {
        await control.call('POST /questions', { body: { item_id: ITEM, text: '¿Hay stock?' } })
        await page.locator('.timeline .entry:has(meter)', { hasText: '200' }).first().waitFor()
        for (let n = 0; n < 4; n++) await api(`GET /questions/search?seller_id=${info.sellers[0]!.id}&n=${n}`)
        await page.locator(entry('n=3')).waitFor()
        await page.locator(entry('Pregunta hecha')).click()
        const calls = page.locator('.chain [data-lane="calls"]')
        await calls.filter({ hasText: 'n=0' }).waitFor()
        assert.equal(await calls.count(), 1)
      } finally {
        receiver.close()
      }
    },
  },
  {
    title: 'live: a simulation is no loss of events, and the list says what it leaves out',
    async run({ page, open, api, control }) {
      await api('GET /sites')
      await open('#/live')
      await page.locator(entry('/sites')).waitFor()
      await control.call('POST /simulate', { body: { days: 14 } })
      await page.locator(entry('Pregunta …')).last().waitFor()
      await page.getByRole('searchbox').fill('gap')
      await page.locator(entry('más, sin guardar')).first().waitFor()
      assert.equal(await page.locator('.toast').count(), 0)
    },
  },
  {
    title: 'live: the past has what control calls changed, also without a webhook; a failed webhook says why',
    async run({ page, open, control, info }) {
      const ask = (text: string) => control.call('POST /questions', { body: { item_id: ITEM, text } })
      await ask('¿Envían?')
      await open('#/live')
      await page.locator(entry('Pregunta hecha')).click()
      await page
        .getByRole('region', { name: 'Cadena' })
        .getByText(/^Pregunta …\d+ hecha$/)
        .waitFor()
      assert.deepEqual(await lanesOf(page), ['outside', 'changes'])
      const path = { id: info.application.id }
      await control.call('PUT /applications/{id}/notifications', {
        path,
        body: { callback_url: 'http://127.0.0.1:9/' },
      })
      await ask('¿Hay stock?')
      await page.locator(entry('connection refused')).waitFor()
    },
  },
  {
    title:
      'live: hostile text stays text; the phone buys, writes and sees the answer, which the timeline has by subject',
    async run(stage) {
      const { page, open, control } = stage
      const text = `<img src=x onerror=alert(1)>{{x}}\u202e😀${'x'.repeat(1900)}`
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text } })
      await open('#/live?item=MLA1400000001')
      const bubble = page.locator('.bubble', { hasText: '<img src=x onerror=alert(1)>{{x}}\\u202e😀' })
      await bubble.waitFor()
      await page.getByRole('button', { name: 'Comprar' }).click()
      await page.waitForURL(/item=MLA1400000001&order=2\d{15}$/)
      await page.getByText('por despachar · etiqueta lista').waitFor()
      await page.keyboard.press('a')
      await page.keyboard.type('¿Ya salió?')
      await page.keyboard.press('Enter')
      await page.locator('.bubble', { hasText: '¿Ya salió?' }).waitFor()
      const id = Number(/2\d{15}/.exec(page.url())![0])
      const { pack_id } = await control.call('GET /orders/{id}', { path: { id } })
      await control.call('POST /messages', {
        body: { pack_id: pack_id ?? id, from: 'seller', text: 'Sale <b>hoy</b>' },
      })
      await page.locator('.bubble[data-side="seller"]', { hasText: 'Sale <b>hoy</b>' }).waitFor()
      await page.locator(entry('Compra hecha')).waitFor()
      await page.locator(entry('Envío …')).waitFor()
      await page.getByText('Más filtros').click()
      await page.getByRole('combobox', { name: 'Sobre' }).selectOption('Mensaje')
      await page.locator(entry('Envío …')).waitFor({ state: 'detached' })
      assert.match(await page.locator(entry('Mensaje …')).first().innerText(), /^Mensaje …[0-9a-f]{4} enviado/)
      await page.locator(entry('Mensaje …')).first().click()
      await page.getByRole('link', { name: 'Abrir en Ventas' }).click()
      await page
        .getByRole('region', { name: `Venta ${id}` })
        .getByText('Sale <b>hoy</b>')
        .waitFor()
    },
  },
]
