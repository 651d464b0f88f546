import assert from 'node:assert/strict'
import type { Journey, Stage } from './stage.ts'

/** The first subscription with zones. */
async function flex({ control }: Stage) {
  const { results } = await control.call('GET /flex/subscriptions', { query: { limit: 1000 } })
  return results.find(({ mode, status }) => mode === 'FLEX' && status.id === 'in')!
}

export const journeys: Journey[] = [
  {
    title:
      'flex: week and zones are changed, listings offered, shipments have drivers, and a subscription changes its state',
    async run(stage) {
      const { page, open, control } = stage
      const { id, user_id, service_id } = await flex(stage)
      const path = { id }
      await open(`#/flex/${user_id}/${service_id}`)
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Paquetes').first().fill('9999')
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Paquetes').first().fill('77')
      await dialog.getByLabel('Llega').selectOption('next_day')
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('77 paquetes').first().waitFor()
      const settings = await control.call('GET /flex/subscriptions/{id}/configuration', { path })
      assert.equal(settings.delivery_ranges.week![0]!.capacity, 77)
      assert.equal(settings.delivery_window, 'next_day')

      const { zones } = await control.call('GET /flex/subscriptions/{id}/zones', { path })
      const zone = zones.find(({ is_mandatory }) => !is_mandatory)!
      const tile = page.getByRole('button', { name: zone.label, pressed: zone.selected }).first()
      await tile.click()
      await page.getByRole('button', { name: zone.label, pressed: !zone.selected }).first().waitFor()
      const after = await control.call('GET /flex/subscriptions/{id}/zones', { path })
      assert.equal(after.zones.find((one) => one.id === zone.id)!.selected, !zone.selected)

      const items = page.getByRole('list', { name: 'Publicaciones' })
      const offered = items.getByRole('listitem').filter({ hasText: 'con Flex' }).first()
      const item = /ML[AB]\d+/.exec(await offered.innerText())![0]
      await offered.getByRole('button', { name: 'Quitar de Flex' }).click()
      const row = items.getByRole('listitem').filter({ hasText: item })
      await row.getByRole('button', { name: 'Ofrecer con Flex' }).waitFor()
      assert.equal((await control.call('GET /flex/items/{id}', { path: { id: item } })).has_flex, false)
      await row.getByRole('button', { name: 'Ofrecer con Flex' }).click()
      await row.getByText('con Flex', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Nuevo envío' }).click()
      await page.getByRole('dialog').getByLabel('Repartidor').fill('81234567')
      await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
      const { results } = await waitForShipment(stage, user_id)
      const shipment = results.find(({ driver_id }) => driver_id === 81234567)!
      const more = page.getByRole('button', { name: 'Más', exact: true })
      const shown = page
        .getByRole('list', { name: 'Envíos' })
        .getByRole('listitem')
        .filter({ hasText: String(shipment.id) })
      while ((await shown.count()) === 0 && (await more.last().isVisible())) await more.last().click()
      await shown.getByRole('button', { name: 'Cerrar ruta' }).click()
      await shown.getByRole('button', { name: 'Salir a ruta' }).waitFor()
      const now = await control.call('GET /shipments/{id}', { path: { id: shipment.id } })
      assert.deepEqual([now.driver_id, now.route_open], [81234567, false])

      const read = () => control.call('GET /flex/subscriptions/{id}', { path })
      await open('#/flex')
      await page.getByRole('link', { name: String(service_id) }).click()
      await page.waitForURL(new RegExp(`#/flex/${user_id}/${service_id}$`))
      const detail = page.getByRole('region', { name: `Servicio ${service_id}` })
      await detail.getByRole('button', { name: 'Moderar' }).click()
      await detail.getByText('moderada').waitFor()
      await detail.getByRole('button', { name: 'Dar de baja' }).click()
      await detail.getByText('su configuración no se puede cambiar').waitFor()
      assert.deepEqual([(await read()).status.id, (await read()).is_moderated], ['out', true])
      await page.keyboard.press('s')
      await detail.getByText('pendiente', { exact: true }).waitFor()
      await page.keyboard.press('s')
      await detail.getByText('activa', { exact: true }).waitFor()
      await open('#/flex/1/2')
      await page.getByText('Esta suscripción no existe').waitFor()
    },
  },
]

/** The shipments, once the new one is among them. */
async function waitForShipment({ page, control }: Stage, seller_id: number) {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return control.call('GET /shipments', { query: { seller_id, limit: 1000 } })
}
