import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

const HOSTILE = `<img src=x onerror=alert(1)>\u202e "mate"`

export const journeys: Journey[] = [
  {
    title:
      'listings: a list scrolls to the open row; a detail shows all; one is bought, created, changed, paused and offered with Flex',
    async run({ page, open, control, info }) {
      const { results } = await control.call('GET /items', { query: { limit: 1000, counts: 'true' } })
      const place = results.length - 3
      const { id: last, questions = 0 } = results[place]!
      await open(`#/listings/${last}`)
      const row = page.locator(`[data-index="${place}"]`)
      await row.waitFor()
      const box = (await row.boundingBox())!
      assert.ok(box.y > 0 && box.y < page.viewportSize()!.height, `the row is at ${box.y}`)
      await control.call('POST /questions', { body: { item_id: last, text: '¿Hay stock?' } })
      await page.keyboard.press('Escape')
      const counted = page.getByRole('row').filter({ hasText: last }).getByRole('cell').nth(4)
      await counted.getByText(String(questions + 1), { exact: true }).waitFor()
      await page.goBack()
      await page.getByRole('region', { name: last }).waitFor()
      await page.keyboard.press('n')
      await page.getByRole('region', { name: results[place + 1]!.id }).waitFor()
      await page.getByRole('link', { name: 'Abrir la anterior' }).click()
      await page.getByRole('region', { name: last }).waitFor()

      await open('#/listings/MLA1400000001')
      const shown = page.getByRole('region', { name: 'MLA1400000001' })
      const part = (title: string) => shown.locator('section').filter({ hasText: title })
      await part('Atributos').getByText('Marca: Brisana').waitFor()
      await part('Variantes').getByText('Color: Negro · Stock: 9').waitFor()
      await part('Fotos').getByText('https://http2.example.com/D_930646-MLA1400000001_082023-O.jpg').waitFor()
      await part('Descripción').getByText('Marca Brisana, modelo BR-417.').waitFor()
      await shown.getByText('MLA7007 · MLA-KEYBOARDS_AND_MICE').waitFor()
      assert.equal(await shown.locator('img').count(), 0)
      await shown.getByText('Todos los datos').click()
      await shown.getByText('"listing_type_id": ').waitFor()
      await page.keyboard.press('b')
      await page.getByRole('dialog').getByRole('button', { name: 'Comprar' }).click()
      await page.waitForURL(/#\/orders\/2\d{15}$/)
      const { paging } = await control.call('GET /orders', { query: { item_id: 'MLA1400000001', limit: 0 } })
      await page
        .getByRole('region', { name: /^Venta / })
        .getByRole('link', { name: 'MLA1400000001' })
        .click()
      await shown.getByRole('link', { name: 'Ventas' }).click()
      await page.waitForURL(/#\/orders\?item=MLA1400000001$/)
      await page.getByText(`${paging.total} ventas`).waitFor()

      const seller = info.sellers.find(({ site_id }) => site_id === 'MLA')!
      await open(`#/listings?seller=${seller.id}`)
      const table = page.getByRole('table')
      await table.getByText('Mouse vertical').waitFor()
      const { total } = (await control.call('GET /items', { query: { seller_id: seller.id, limit: 0 } })).paging
      await page.getByText(`${total} publicaciones`, { exact: true }).waitFor()
      await page.keyboard.press('+')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Título').fill(HOSTILE)
      await dialog.getByLabel('Precio').fill('12999.5')
      await dialog.getByLabel('Stock').fill('7')
      await dialog.locator(`option[value="${seller.id}"]:checked`).waitFor({ state: 'attached' })
      await dialog.getByRole('button', { name: 'Nueva publicación' }).click()
      await page.waitForURL(/#\/listings\/MLA\d+\?seller=\d+$/)
      const id = /MLA\d+/.exec(page.url())![0]
      const read = () => control.call('GET /items/{id}', { path: { id } })
      const detail = page.getByRole('region', { name: id })
      await detail.getByText('ARS 12.999,50').waitFor()
      await table.locator('[data-open="true"]').getByText('\\u202e').waitFor()
      const { title, available_quantity, status } = await read()
      assert.deepEqual([title, available_quantity, status], [HOSTILE, 7, 'active'])

      await page.keyboard.press('s')
      await detail.getByText('en pausa').waitFor()
      await page.keyboard.press('s')
      await detail.getByText('activa', { exact: true }).waitFor()
      await page.keyboard.press('x')
      await detail.getByRole('button', { name: 'Quitar de Flex' }).waitFor()
      assert.equal((await read()).in_flex, true)
      await page.keyboard.press('e')
      await dialog.getByLabel('Stock').fill('0')
      await dialog.getByLabel('Descripción').fill(HOSTILE)
      await dialog.getByLabel('Estado').selectOption('closed')
      await dialog.getByLabel('Ofrecer con Flex').uncheck()
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await detail.getByText('cerrada').waitFor()
      const description = detail.locator('section').filter({ hasText: 'Descripción' })
      await description.getByText('\\u202e').waitFor()
      const changed = await read()
      assert.equal(changed.description, HOSTILE)
      assert.deepEqual([changed.available_quantity, changed.status, changed.in_flex], [0, 'closed', false])
      await page.getByRole('combobox', { name: 'Estado' }).selectOption('paused')
      await page.waitForURL(/status=paused/)
      await table.getByText('\\u202e').waitFor({ state: 'detached' })
      await page.getByRole('combobox', { name: 'Vendedor' }).selectOption('Todos')
      await page.waitForURL((url) => !url.hash.includes('seller'))
    },
  },
]
