import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

export const journeys: Journey[] = [
  {
    title: 'credits: a lead is created, approved, expired early, reverted, and expires with time',
    async run({ page, open, control }) {
      const { results } = await control.call('GET /items', { query: { q: 'a', status: 'active', limit: 1 } })
      const [item] = results
      const filter = { query: { status: 'approved', limit: 0 } } as const
      const approved = (await control.call('GET /loans', filter)).paging.total
      await open('#/credits')
      await page.getByRole('button', { name: 'Nueva solicitud de crédito' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Publicación').fill('MLA1')
      await dialog.getByRole('button', { name: 'Nueva solicitud de crédito' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Publicación').fill(item!.id)
      await dialog.getByLabel('Creada hace (días)').fill('20')
      await dialog.getByRole('button', { name: 'Nueva solicitud de crédito' }).click()
      await page.waitForURL(/#\/credits\/[0-9a-f-]{36}/)
      const id = page.url().slice(-36)
      const read = () => control.call('GET /loans/{id}', { path: { id } })
      const { status, date_created } = await read()
      assert.deepEqual([status, Date.parse(date_created)], ['in_analysis', Date.UTC(2026, 1, 10, 12)])
      const detail = page.getByRole('region', { name: `Solicitud de crédito ${id}` })
      await detail.getByText(/vence .*10 d/).waitFor()
      await detail.getByRole('button', { name: 'Aprobar' }).click()
      await detail.getByText('aprobada').waitFor()
      await page
        .getByRole('region', { name: 'Aprobadas' })
        .getByRole('heading', { name: `${approved + 1}` })
        .waitFor()
      await page.keyboard.press('e')
      await detail.getByText('vencida antes de tiempo').waitFor()
      assert.equal((await read()).expired, true)
      await detail.getByRole('button', { name: 'Anular vencimiento' }).click()
      await detail.getByText(/vence .*10 d/).waitFor()
      await control.call('POST /clock/advance', { body: { by: '11d' } })
      await detail.getByText(/venció .*1 d|venció ayer/).waitFor()
      assert.deepEqual(await detail.getByRole('button').allInnerTexts(), ['', 'curl'])
    },
  },
  {
    title: 'credits: filters are in the address, columns have pages, and a lead that is gone is said',
    async run({ page, open, control }) {
      await open('#/credits?expired=true')
      const approved = page.getByRole('region', { name: 'Aprobadas' })
      const { paging } = await control.call('GET /loans', { query: { status: 'approved', expired: 'true', limit: 20 } })
      await approved.getByRole('heading', { name: String(paging.total) }).waitFor()
      assert.ok(paging.total > 20)
      assert.equal(await approved.getByRole('link').count(), 20)
      const first = await approved.getByRole('link').first().getAttribute('href')
      await approved.getByRole('button', { name: 'Más viejas' }).click()
      await approved.locator(`a[href="${first}"]`).waitFor({ state: 'detached' })
      await approved.getByRole('button', { name: 'Más nuevas' }).click()
      await approved.locator(`a[href="${first}"]`).waitFor()
      await page.getByRole('radio', { name: 'Vigentes' }).check()
      await page.waitForURL(/expired=false$/)
      for (const status of ['En análisis', 'Aprobadas', 'Rechazadas'])
        await page.getByRole('region', { name: status }).getByText('vence dentro').first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#\/credits\/[^?]+\?expired=false$/)
      // The address changes before the detail is there, and only the detail knows the key.
      await page.getByRole('region', { name: /^Solicitud de crédito / }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/credits\?expired=false$/)
      const { id, seller_id } = await control.call('POST /loans', { body: { item_id: 'MLB1400000001' } })
      const { nickname } = await control.call('GET /users/{id}', { path: { id: seller_id } })
      await control.call('POST /clock/advance', { body: { by: '10m' } })
      await open(`#/credits/${id}`)
      await page.locator('.split-detail').getByText('vence dentro de 30 días').waitFor()
      await page
        .locator('.lead[aria-current]')
        .getByText(/^\d+ × BRL\s[\d.]+(,\d\d)?$/)
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox', { name: 'Vendedor' }).selectOption(nickname)
      await page.waitForURL(new RegExp(`\\?user=${seller_id}$`))
      const { total } = (await control.call('GET /loans', { query: { seller_id, status: 'approved' } })).paging
      await approved.getByRole('heading', { name: String(total) }).waitFor()
      await approved.locator('.lead').first().getByText(nickname).waitFor()
      await open('#/credits/5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2')
      await page.getByText('Esta solicitud de crédito no existe').waitFor()
    },
  },
]
