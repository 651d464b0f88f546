import assert from 'node:assert/strict'
import { type Journey, NOW, type Stage, waitUntilLoaded } from './stage.ts'

const HOUR = 3_600_000
const AT = '2026-03-02T11:00:00.000Z'
type Totals = Record<string, number>

async function listing({ control, info }: Stage) {
  const [seller] = info.sellers
  const { results } = await control.call('GET /items', { query: { seller_id: seller!.id, limit: 1 } })
  return { user: seller!.id, item: results[0]!.id }
}

/** What the emulated API answers: messaging clicks of the last 24 hours by the start of the hour. */
async function clicksOf({ api }: Stage, item: string): Promise<Totals> {
  const answer = await api(`GET /items/${item}/contacts/whatsapp/time_window?last=24&unit=hour`)
  const { results } = (await answer.json()) as { results: { date: string; total: number }[] }
  return Object.fromEntries(results.map(({ date, total }) => [new Date(date).toISOString(), total]))
}

/** Messaging clicks in the rows of the table that are in the document. */
async function clicksInTable({ page }: Stage): Promise<Totals> {
  const rows = await page.locator('.table-body').getByRole('row').all()
  const cells = rows.map(async (row) => [
    (await row.locator('time').getAttribute('datetime'))!,
    Number(await row.getByRole('cell').nth(2).innerText()),
  ])
  return Object.fromEntries(await Promise.all(cells))
}

/** Draws a straight line with the mouse; places are fractions of the chart. */
async function draw({ page }: Stage, from: [number, number], to: [number, number]): Promise<void> {
  const box = (await page.locator('.chart').boundingBox())!
  const place = ([x, y]: [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...place(from))
  await page.mouse.down()
  await page.mouse.move(...place(to), { steps: 5 })
  await page.mouse.up()
}

/** In a page: presses "g c" as soon as a heading is shown, before anything follows from that. */
const goOnFrom = (heading: string) => `{
  const observer = new MutationObserver(() => {
    if (document.querySelector('h1')?.textContent !== '${heading}') return
    observer.disconnect()
    for (const key of 'gc') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  observer.observe(document.body, { subtree: true, childList: true })
}`

export const journeys: Journey[] = [
  {
    title: 'statistics: the API answers the totals that were drawn with the mouse, after undo those of before',
    async run(stage) {
      const { page, open, control } = stage
      const { user, item } = await listing(stage)
      const points = Array.from({ length: 24 }, (_, n) => ({ at: new Date(NOW - n * HOUR).toISOString(), total: 8 }))
      await control.call('PUT /contacts/series', { body: { kind: 'messaging_click', item_id: item, points } })
      const before = await clicksOf(stage, item)
      await open(`#/statistics/${user}?unit=hour&days=1&kind=messaging_click&item=${item}`)
      await draw(stage, [0.2, 0.1], [0.9, 0.92])
      const pending = await page.getByText(/Sin aplicar: /).innerText()
      const drawn = await clicksInTable(stage)
      assert.deepEqual(await clicksOf(stage, item), before)
      await page.getByRole('button', { name: 'Aplicar' }).click()
      await page.getByText(/Contactos: \+\d+ −\d+/).waitFor()
      await page.getByText('Sin aplicar').waitFor({ state: 'detached' })
      const after = await clicksOf(stage, item)
      assert.deepEqual({ ...after, ...drawn }, after)
      const changes = Object.entries(after).map(([at, total]) => total - before[at]!)
      const sumOf = (sign: number) => changes.reduce((sum, change) => sum + Math.max(0, sign * change), 0)
      assert.ok(sumOf(1) > 0 && sumOf(-1) > 0, changes.join())
      assert.ok(changes.filter(Boolean).length > 10, changes.join())
      assert.equal(pending.trim(), `Sin aplicar: +${sumOf(1)} −${sumOf(-1)}`)
      await control.call('POST /undo')
      await page.locator('.table-body').getByRole('row').nth(3).getByRole('cell', { name: '8', exact: true }).waitFor()
      assert.deepEqual(await clicksOf(stage, item), before)
    },
  },
  {
    title:
      'statistics: numbers are typed, by day and week too; a range is chosen, the scale grows, and the call that reads it is copied',
    async run(stage) {
      const { page, open, control } = stage
      const { user, item } = await listing(stage)
      const body = { kind: 'messaging_click' as const, item_id: item, points: [{ at: AT, total: 20 }] }
      await control.call('PUT /contacts/series', { body })
      await open(`#/statistics/${user}?kind=messaging_click&item=${item}&at=${AT}`)
      const field = page.getByRole('textbox', { name: 'lun 2 mar 2026 11:00 · Clics en mensajes' })
      assert.equal(await field.inputValue(), '20')
      await field.fill('31')
      await page.getByText('Sin aplicar: +11 −0').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Sin aplicar').waitFor({ state: 'detached' })
      assert.equal(await field.inputValue(), '20')
      await field.fill('11 4')
      await page.getByText('Sin aplicar: +4 −9').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('Contactos: +4 −9').waitFor()
      const clicks = await clicksOf(stage, item)
      assert.deepEqual([clicks[AT], clicks['2026-03-02T12:00:00.000Z']], [11, 4])
      await page.locator('.table-body').getByRole('row').nth(1).getByRole('cell', { name: '11', exact: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(/at=2026-03-02T10%3A00%3A00.000Z/)
      const earlier = page.getByRole('textbox', { name: 'lun 2 mar 2026 10:00 · Clics en mensajes' })
      await earlier.waitFor()
      await page.keyboard.type('700')
      // The scale has grown.
      await page.locator('.axes').getByText('800', { exact: true }).waitFor()
      await page.keyboard.press('Escape')

      await page.getByRole('radio', { name: 'Semana' }).check()
      // The field of the hour stays until the weeks are loaded.
      await earlier.waitFor({ state: 'detached' })
      const week = page.getByRole('textbox', { name: 'Clics en mensajes' })
      await week.fill('70')
      await page.getByText(/Sin aplicar: \+\d+ −0/).waitFor()
      await week.press('Enter')
      await page.getByText('Sin aplicar').waitFor({ state: 'detached' })
      const now = new Date(NOW).toISOString()
      const query = {
        kind: 'messaging_click',
        item_id: item,
        unit: 'day',
        from: '2026-02-24T12:00:00Z',
        to: now,
      } as const
      const { points } = await control.call('GET /contacts/series', { query })
      assert.equal(
        points.reduce((sum, { total }) => sum + total, 0),
        70,
      )

      await open(`#/statistics/${user}?item=${item}&kind=messaging_click`)
      await page.getByRole('radio', { name: 'fechas' }).check()
      await page.getByLabel('Desde').fill('2026-02-01')
      await page.getByLabel('Hasta').fill('2026-02-03')
      await page.waitForURL(/from=2026-02-01&to=2026-02-03/)
      const rows = page.getByRole('row')
      await rows.nth(1).getByText('3 feb 23:00').waitFor()
      assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '73')
      await page.getByText('Copiar la llamada que lee esta curva').click()
      const call = page.getByText(
        `/items/${item}/contacts/whatsapp/time_window?last=72&unit=hour&ending=2026-02-03T23%3A59`,
      )
      await call.waitFor()
      await page.getByRole('radio', { name: '7 d', exact: true }).check()
      await page.waitForURL((url) => !url.hash.includes('from='))
      await call.waitFor({ state: 'detached' })
      await page.getByText('time_window?last=168&unit=hour').waitFor()

      const box = (await page.locator('.chart').boundingBox())!
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      for (let n = 0; n < 20; n++) await page.mouse.move(box.x + box.width / 2 + n, box.y - 30)
      await page.mouse.up()
      const pending = await page.getByText(/Sin aplicar: /).innerText()
      assert.ok(Number(/\+([\d.]+)/.exec(pending)![1]!.replaceAll('.', '')) > 100, pending)
    },
  },
  {
    title: 'statistics: a finger draws sideways, and scrolls up and down',
    context: { hasTouch: true, viewport: { width: 360, height: 740 } },
    async run(stage) {
      const { page, open } = stage
      const { user, item } = await listing(stage)
      await open(`#/statistics/${user}?item=${item}`)
      const session = await page.context().newCDPSession(page)
      const swipe = async (...steps: [x: number, y: number][]) => {
        const box = (await page.locator('.chart').boundingBox())!
        for (const [n, [x, y]] of steps.entries()) {
          const touchPoints = [{ x: box.x + box.width * x, y: box.y + box.height * y }]
          await session.send('Input.dispatchTouchEvent', { type: n === 0 ? 'touchStart' : 'touchMove', touchPoints })
        }
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      }
      // It goes on when the finger has left, and the chart moves with it.
      const ended = page.evaluate(`new Promise((done) =>
        document.querySelector('#main').addEventListener('scrollend', () => done(), { once: true }))`)
      await swipe([0.5, 0.9], [0.5, 0.7], [0.5, 0.5], [0.5, 0.3])
      await ended
      assert.ok(Number(await page.evaluate("document.querySelector('#main').scrollTop")) > 50)
      await page.locator('.chart').scrollIntoViewIfNeeded()
      await page.getByText('Sin aplicar').waitFor({ state: 'detached' })
      await swipe([0.3, 0.5], [0.45, 0.5], [0.6, 0.2], [0.8, 0.6])
      await page.getByText(/Sin aplicar: \+[1-9]/).waitFor()
    },
  },
  {
    title: 'statistics: it opens from the overview and by keys, days are simulated, and contacts appear as they come',
    async run(stage) {
      const { page, open, control } = stage
      const { item } = await listing(stage)
      await open('#/')
      await page.getByRole('link', { name: 'Contactos en 24 h' }).click()
      await page.waitForURL('**/#/statistics')
      // Keys reach the new screen only.
      await waitUntilLoaded(page)
      await page.evaluate(goOnFrom('Resumen'))
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.getByText('Para dibujar, elige una publicación.').waitFor()
      await page.getByRole('radio', { name: 'Día' }).check()
      await page.waitForURL(/unit=day/)
      await page.getByRole('row').nth(1).getByText('2 mar 04:00').waitFor()
      const cell = page.getByRole('row').nth(1).getByRole('cell').nth(1)
      const views = Number(await cell.innerText())
      await control.call('POST /contacts', { body: { kind: 'phone_view', item_id: item, count: 7 } })
      await page
        .getByRole('row')
        .nth(1)
        .getByRole('cell', { name: String(views + 7), exact: true })
        .first()
        .waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Días').fill('2')
      await dialog.getByRole('button', { name: 'Simular días' }).click()
      await page.getByText(/Vistas: \d/).waitFor()
      assert.ok(Number(await cell.innerText()) >= views + 7)
    },
  },
]
