import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Journey, Stage } from './stage.ts'

const CHANGES =
  /Notificar aquí|Preguntar|Bloquear|Responder|Crear solicitud|Adelantar|Comprar|Nueva |Simular|Enviar otra/
const REASON = 'puede verlo todo, salvo secretos, y no cambia nada'
const ITEM = 'MLA1400000001'

/** The only buttons of a detail: one closes it, one copies. */
const hasNoActions = async (detail: Locator) =>
  assert.deepEqual(await detail.getByRole('button').allInnerTexts(), ['', 'curl'])

/** What viewers find in the detail of the first row of a screen. */
const DETAILS: [address: string, row: string, name: RegExp, text: string][] = [
  ['#/credits', 'main a.lead', /^Solicitud de crédito /, 'Anticipo'],
  ['#/faults', '[role=table] a', /^Regla 1$/, 'Llamadas afectadas'],
  ['#/orders', '[role=table] a', /^Venta /, 'Comisión'],
]

async function seesGuide({ page, open }: Stage): Promise<void> {
  await open('#/start')
  await page.getByText('Solo lectura').waitFor()
  for (const step of ['Recibe una', 'Lee la pregunta', 'Respóndela', 'Rompe, entiende y arregla', 'Mueve el tiempo']) {
    const section = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: step }) })
    await section.getByRole('heading', { name: step }).click()
    if (!/Lee|Resp|Rompe/.test(step)) await section.getByText(REASON).waitFor()
    assert.equal(await section.getByRole('button', { name: CHANGES }).count(), 0, step)
    assert.equal(await section.getByRole('textbox').count(), 0, step)
  }
  assert.equal(await page.getByRole('button', { name: 'Mostrar el token' }).count(), 0)
}

async function seesSettings({ page, open }: Stage, hasNoSecrets: () => Promise<void>): Promise<void> {
  await open('#/settings/applications')
  for (const section of ['Aplicaciones', 'Tokens']) {
    await page.getByRole('link', { name: section, exact: true }).first().click()
    await page.getByRole('list', { name: section }).waitFor()
    assert.equal(await page.locator('.page button:not(:text("Más"))').count(), 0, section)
    await hasNoSecrets()
  }
}

async function seesStatistics({ page, open, control, info }: Stage): Promise<void> {
  const [{ id } = { id: 0 }] = info.sellers
  const { results } = await control.call('GET /items', { query: { seller_id: id, limit: 1 } })
  await open(`#/statistics/${id}?item=${results[0]!.id}`)
  await page.getByText('no cambia nada').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Vistas' }).count(), 0)
  await drawLine(page)
  assert.equal(await page.getByText('Sin aplicar').count(), 0)
}

async function drawLine(page: Page): Promise<void> {
  const { x, y, width, height } = (await page.locator('.chart').boundingBox())!
  await page.mouse.move(x + width * 0.3, y + height * 0.8)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height * 0.2, { steps: 5 })
  await page.mouse.up()
}

async function seesWorlds({ page, open }: Stage): Promise<void> {
  await open('#/worlds')
  const row = page.getByRole('list', { name: 'Instantáneas' }).getByRole('listitem').filter({ hasText: 'antes' })
  await row.waitFor()
  assert.equal(await page.locator('.page button').count(), 0)
  await row.getByRole('link', { name: 'Comparar' }).click()
  await page.getByText('Los dos estados son iguales').waitFor()
}

export const journeys: Journey[] = [
  {
    title: 'viewers: they see every screen, no secret, and nothing that changes the world',
    server: { adminToken: 'llave', viewerToken: 'solo-ver' },
    async run(stage) {
      const { page, open, control, info } = stage
      const { id, token } = info.sellers[0]!
      const hasNoSecrets = async () => {
        const html = await page.content()
        for (const secret of [info.application.secret, token]) assert.equal(html.includes(secret), false)
      }
      await control.call('POST /faults', { body: { action: { drop: true } } })
      await control.call('POST /snapshots', { body: { name: 'antes' } })
      await open('#/assumptions/contacts.current_bucket')
      await page.getByLabel('Token de administración').fill('solo-ver')
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByText('Solo lectura').waitFor()
      assert.equal(await page.getByLabel('exclude').isDisabled(), true)
      for (const [address, row, name, text] of DETAILS) {
        await open(address)
        await page.getByText('Solo lectura').waitFor()
        await page.locator(row).first().click()
        const detail = page.getByRole('region', { name })
        await detail.getByText(text).waitFor()
        await hasNoActions(detail)
        assert.equal(await page.getByRole('button', { name: CHANGES }).count(), 0, address)
      }
      const { results } = await control.call('GET /flex/subscriptions', { query: { limit: 1000 } })
      const { user_id, service_id } = results.find(({ mode, status }) => mode === 'FLEX' && status.id === 'in')!
      await open(`#/flex/${user_id}/${service_id}`)
      const service = page.getByRole('region', { name: `Servicio ${service_id}` })
      await service.getByRole('heading', { name: 'Envíos' }).waitFor()
      await service.getByRole('button', { pressed: true }).first().waitFor()
      assert.equal(await service.locator('button:enabled:not(.split-close)', { hasNotText: 'Más' }).count(), 0)
      await open(`#/questions?item=${ITEM}`)
      await page.getByRole('table').getByRole('link').first().click()
      await page.locator('.bubble').first().waitFor()
      assert.equal(await page.getByRole('button', { name: CHANGES }).count(), 0)
      await open(`#/users/${id}`)
      await page
        .getByRole('region', { name: String(id), exact: true })
        .getByText('Actuar como este usuario')
        .waitFor()
      assert.equal(await page.locator('main button:not(.split-close)', { hasNotText: 'Copiar' }).count(), 0)
      await hasNoSecrets()
      await seesGuide(stage)
      await hasNoSecrets()
      await seesSettings(stage, hasNoSecrets)
      await seesStatistics(stage)
      assert.equal(await page.getByRole('button', { name: CHANGES }).count(), 0)
      await seesWorlds(stage)
      await open('#/live')
      await page.getByRole('heading', { name: 'En vivo' }).click()
      await page.keyboard.press('z')
      await page.getByText(REASON).waitFor()
    },
  },
]
