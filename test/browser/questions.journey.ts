import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

const HOSTILE = `<script>alert(1)</script>{{x}}\u202e😀"'&`
const ITEM = 'MLA1400000001'

export const journeys: Journey[] = [
  {
    title: 'questions: a buyer asks, the seller answers, and moderation bans',
    async run({ page, open, control }) {
      await open('#/questions')
      await page.getByRole('table').waitFor()
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Preguntar como comprador' })
      await dialog.getByLabel('Publicación').fill(ITEM)
      await dialog.getByLabel('Texto').fill('¿Llega antes del lunes?')
      await dialog.getByLabel('Fecha').selectOption('ago1d')
      await dialog.getByRole('button', { name: 'Preguntar' }).click()
      await dialog.waitFor({ state: 'detached' })
      const id = Number(/#\/questions\/(\d+)$/.exec(page.url())![1])
      const asked = await control.call('GET /questions/{id}', { path: { id } })
      assert.equal(asked.text, '¿Llega antes del lunes?')
      assert.equal(Date.parse(asked.date_created), Date.UTC(2026, 2, 1, 12))

      await page.getByLabel('Responder como VENDEDOR_MLA').waitFor()
      await page.keyboard.press('e')
      await page.keyboard.type('Sí, el sábado')
      await page.keyboard.press('Control+Enter')
      await page.locator('.bubble[data-side="seller"]').getByText('Sí, el sábado').waitFor()
      await page.getByRole('checkbox', { name: 'Oculta' }).check()
      await page.locator('.table-row[data-open="true"]').getByText('Oculta').waitFor()
      await page.getByRole('button', { name: 'Bloquear', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Bloquear' }).click()
      await page.locator('.bubble').getByText('texto borrado').waitFor()
      const { status, hidden, answer } = await control.call('GET /questions/{id}', { path: { id } })
      assert.deepEqual(
        { status, hidden, answer: answer?.text },
        { status: 'BANNED', hidden: true, answer: 'Sí, el sábado' },
      )
    },
  },
  {
    title: 'questions: the first listing is offered, unless another one is being typed',
    async run({ page, open }) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/_sandbox/items?**', async (route) => {
        await released
        await route.continue()
      })
      const refused: string[] = []
      page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()))
      await open('#/questions')
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Preguntar como comprador' })
      const listing = dialog.getByLabel('Publicación')
      await listing.focus()
      release()
      await dialog.locator('datalist option').first().waitFor({ state: 'attached' })
      assert.equal(await listing.inputValue(), '')
      await page.keyboard.type('MLB1400000001')
      await dialog.locator('option', { hasText: 'COMPRADOR_MLB' }).first().waitFor({ state: 'attached' })
      assert.equal(await listing.inputValue(), 'MLB1400000001')

      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      await page.keyboard.press('a')
      await dialog.locator('option', { hasText: 'COMPRADOR_MLA' }).first().waitFor({ state: 'attached' })
      assert.equal(await listing.inputValue(), ITEM)
      assert.deepEqual(refused, [])
    },
  },
  {
    title: 'questions: filters are in the address, the server explains what it rejects, and hostile text stays text',
    async run({ page, open, control }) {
      const { id } = await control.call('POST /questions', { body: { item_id: ITEM, text: '¿Tiene garantía?' } })
      await open(`#/questions/${id}?status=UNANSWERED&item=${ITEM}`)
      await page
        .getByRole('region', { name: String(id) })
        .getByText('¿Tiene garantía?')
        .waitFor()
      assert.equal(await page.locator('.filters').getByRole('combobox', { name: 'Estado' }).inputValue(), 'UNANSWERED')
      const state = page.locator('.moderation').getByRole('combobox', { name: 'Estado' })
      await state.selectOption('ANSWERED')
      await page.getByText('El servidor rechazó la llamada · 400').waitFor()
      assert.equal(await state.inputValue(), 'UNANSWERED')
      await page.locator('.toast').getByRole('button', { name: 'Cerrar' }).click()
      await page.getByRole('button', { name: 'Cerrar la publicación' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cerrar la publicación' }).click()
      await page
        .getByRole('region', { name: String(id) })
        .locator('.badge')
        .getByText('Cerrada')
        .waitFor()
      await page.getByRole('button', { name: 'Activar la publicación' }).click()
      await page.getByRole('button', { name: 'Cerrar la publicación' }).waitFor()
      assert.equal((await control.call('GET /items/{id}', { path: { id: ITEM } })).status, 'active')

      const body = { item_id: ITEM, text: HOSTILE + 'x'.repeat(1900), answer: { text: HOSTILE } }
      const hostile = await control.call('POST /questions', { body })
      await open(`#/questions/${hostile.id}`)
      await page.locator('.bubble', { hasText: '<script>alert(1)</script>{{x}}\\u202e' }).nth(1).waitFor()
      assert.equal(await page.locator('script').count(), 1)
    },
  },
  {
    title: 'questions: rows name listing, seller and buyer, filters have counts, and the list scrolls to the open one',
    async run({ page, open, control, info }) {
      const [seller, buyer] = [info.sellers[0]!, info.buyers[0]!]
      const { title } = await control.call('GET /items/{id}', { path: { id: ITEM } })
      const { id } = await control.call('POST /questions', { body: { item_id: ITEM, text: '¿En azul?' } })
      const totalOf = async (query: object) =>
        (await control.call('GET /questions', { query: { ...query, limit: 0 } })).paging.total
      const [total, unanswered] = [await totalOf({}), await totalOf({ status: 'UNANSWERED' })]
      await open('#/questions')
      await page.getByText(`${total.toLocaleString('es-AR')} preguntas`, { exact: true }).waitFor()
      await page.locator('option', { hasText: `Sin responder (${unanswered})` }).waitFor({ state: 'attached' })
      const row = page.getByRole('row').filter({ hasText: '¿En azul?' })
      for (const text of [title, seller.nickname, buyer.nickname]) await row.getByText(text).waitFor()
      await page.locator('.filters').getByRole('combobox', { name: 'Vendedor' }).selectOption(seller.nickname)
      await page.waitForURL(/\?seller=\d+$/)
      const ofSeller = await totalOf({ seller_id: seller.id })
      await page.getByText(`${ofSeller} preguntas`, { exact: true }).waitFor()

      const { results } = await control.call('GET /questions', { query: { limit: 1, offset: 180 } })
      await open(`#/questions/${results[0]!.id}`)
      const opened = page.locator('.table-row[data-open="true"]')
      await opened.waitFor()
      const { y } = (await opened.boundingBox())!
      assert.ok(y > 0 && y < page.viewportSize()!.height, `the row is at ${y}`)
      await page.setViewportSize({ width: 1100, height: 700 })
      assert.equal(await opened.isVisible(), false, 'the detail covers the list')
      await page.keyboard.press('p')
      await page.keyboard.press('Escape')
      await page.locator(`[data-index="179"]`).waitFor()
      await open(`#/questions/${id}`)
      assert.equal(await page.getByRole('link', { name: 'Abrir la siguiente' }).count(), 1)
      assert.equal(await page.getByRole('link', { name: 'Abrir la anterior' }).count(), 0)
    },
  },
]
