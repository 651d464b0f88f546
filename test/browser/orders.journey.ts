import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

const HOSTILE = `<img src=x onerror=alert(1)>\u202e "mate"`

export const journeys: Journey[] = [
  {
    title: 'orders: something is bought, paid, refunded in part and cancelled, and the page says what happened',
    async run({ page, open, control, info }) {
      const seller = info.sellers.find(({ site_id }) => site_id === 'MLA')!
      const { id: item } = await control.call('POST /items', {
        body: { seller_id: seller.id, title: HOSTILE, price: 1000, available_quantity: 9 },
      })
      await open(`#/orders?seller=${seller.id}`)
      await page.keyboard.press('+')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Publicación').fill('MLA1')
      await dialog.getByRole('button', { name: 'Comprar' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Publicación').fill(item)
      await dialog.getByLabel('Unidades').fill('2')
      await dialog.getByLabel('Estado').selectOption('payment_required')
      await dialog.getByRole('button', { name: 'Comprar' }).click()
      await page.waitForURL(/#\/orders\/2\d{15}\?seller=\d+$/)
      const id = Number(/2\d{15}/.exec(page.url())![0])
      const read = () => control.call('GET /orders/{id}', { path: { id } })
      const detail = page.getByRole('region', { name: `Venta ${id}` })
      await detail.getByText('falta el pago').waitFor()
      await detail.getByText('2 × ARS 1.000').waitFor()
      await detail.getByRole('heading', { name: '\\u202e' }).waitFor()
      await page.keyboard.press('y')
      await detail.getByText('pagada', { exact: true }).waitFor()
      await page.getByRole('table').locator('[data-open="true"]').getByText('pagada').waitFor()
      assert.equal((await control.call('GET /items/{id}', { path: { id: item } })).available_quantity, 7)

      await page.keyboard.press('r')
      await dialog.getByLabel('Importe').fill('500')
      await dialog.getByRole('button', { name: 'Devolver dinero' }).click()
      await detail.getByText('devuelta en parte').waitFor()
      await page.keyboard.press('x')
      await dialog.getByLabel('Quién cancela').selectOption('seller')
      await dialog.getByLabel('Motivo').fill('se rompió')
      await dialog.getByRole('button', { name: 'Cancelar la venta' }).click()
      await detail.getByText('cancelada', { exact: true }).waitFor()
      const history = detail.getByRole('region', { name: 'Qué pasó' })
      await history.getByText('Cancelada: se rompió').waitFor()
      // With the shipment, whose label was ready.
      assert.equal(await history.getByRole('listitem').count(), 6)
      assert.equal((await read()).cancel_detail?.group, 'seller')
      assert.equal((await control.call('GET /items/{id}', { path: { id: item } })).available_quantity, 9)
      assert.deepEqual(await detail.getByRole('button').allInnerTexts(), [
        '',
        'Escribir mensaje',
        'Bloquear conversación',
        'curl',
      ])
    },
  },
  {
    title: 'orders: the label is saved, the parcel delivered, messages and a claim follow; filters and links name it',
    async run({ page, open, control }) {
      const { order } = await control.call('POST /orders', { body: { item_id: 'MLA1400000001' } })
      await open('#/orders?status=cancelled')
      const table = page.getByRole('table')
      await table.getByText('cancelada').first().waitFor()
      assert.equal(await table.getByText('pagada', { exact: true }).count(), 0)
      await page.getByRole('combobox', { name: 'Estado' }).selectOption('Todas')
      await page.getByRole('combobox', { name: 'Envío' }).selectOption('por despachar')
      await page.waitForURL(/#\/orders\?shipment=ready_to_ship$/)
      await table.getByText('entregado').waitFor({ state: 'detached' })
      await table.getByRole('link').first().click()
      const detail = page.getByRole('region', { name: `Venta ${order.id}` })
      const history = detail.getByRole('region', { name: 'Qué pasó' })
      const step = (text: string) => history.getByRole('listitem').filter({ hasText: text }).last()
      await step('etiqueta lista').waitFor()
      const download = page.waitForEvent('download')
      await page.keyboard.press('l')
      assert.match((await download).suggestedFilename(), /^Etiqueta-43\d+\.pdf$/)
      await step('etiqueta impresa').waitFor()
      await step('dentro de 2 h').getByText('enviado · en reparto').waitFor()
      await page.keyboard.press('s')
      await step('dentro de 2 h').waitFor({ state: 'detached' })
      await page.keyboard.press('d')
      await detail.locator('header').getByText('entregado').waitFor()
      await detail.getByRole('button', { name: 'Entregar' }).waitFor({ state: 'detached' })
      const dialog = page.getByRole('dialog')
      for (const [from, text] of [
        ['buyer', HOSTILE],
        ['seller', 'Te mandamos otro.'],
      ] as const) {
        await page.keyboard.press('m')
        if (from === 'seller') await dialog.locator('option[value="seller"]:checked').waitFor({ state: 'attached' })
        await dialog.getByLabel('Mensaje').fill(text)
        await dialog.getByRole('button', { name: 'Enviar' }).click()
        await step(from === 'buyer' ? '\\u202e' : text)
          .getByText(from === 'buyer' ? 'Comprador' : 'Vendedor')
          .waitFor()
      }
      await page.keyboard.press('o')
      await dialog.getByLabel('Motivo').selectOption('llegó roto')
      await dialog.getByRole('button', { name: 'Abrir reclamo' }).click()
      await step('Abierto: llegó roto').waitFor()
      await page.keyboard.press('m')
      await dialog.getByLabel('Dónde').selectOption('Reclamo')
      await dialog.getByLabel('Mensaje').fill('¿Nos mandas una foto?')
      await dialog.getByRole('button', { name: 'Enviar' }).click()
      await step('Vendedor: ¿Nos mandas una foto?').getByText('Reclamo').waitFor()
      for (const [choice, answer] of [
        ['no puede escribir', 'Conversación: blocked by buyer'],
        ['puede escribir', 'Conversación: puede escribir'],
      ] as const) {
        await page.keyboard.press('b')
        await dialog.getByLabel('Vendedor').selectOption(choice)
        await dialog.getByRole('button', { name: 'Enviar' }).click()
        await page.getByText(answer, { exact: true }).waitFor()
      }
      for (const [name, address] of [
        ['MLA1400000001', '#/listings/MLA1400000001'],
        ['Llamadas que la nombran', `#/requests?q=${order.id}`],
        ['En vivo', `#/live?q=${order.id}`],
      ])
        assert.equal(await detail.getByRole('link', { name: name! }).getAttribute('href'), address)
      await page.keyboard.press('o')
      await dialog.getByLabel('Pedir la devolución').check()
      await dialog.getByRole('button', { name: 'Resolver reclamo' }).click()
      await step('etiqueta lista').getByText('Devolución').waitFor()
      await page.keyboard.press('o')
      assert.equal(await dialog.getByLabel('Pedir la devolución').count(), 0)
      await dialog.getByLabel('Devolver (%)').fill('100')
      await dialog.getByRole('button', { name: 'Resolver reclamo' }).click()
      await step('Cerrado: payment refunded').waitFor()
      await detail.locator('header').getByText('cancelada').waitFor()
      await open('#/orders/1')
      await page.getByText('La venta 1 no existe').waitFor()
    },
  },
]
