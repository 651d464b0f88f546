import assert from 'node:assert/strict'
import { axe } from './axe.ts'
import { type Journey, NOW, type Stage } from './stage.ts'

const HOUR = 3_600_000
const nowOf = async ({ control }: Stage) => Date.parse((await control.call('GET /clock')).now)

export const journeys: Journey[] = [
  {
    title: 'clock: buttons and keys move it, freeze it and let it run',
    async run(stage) {
      const { page, open, control } = stage
      await open('#/clock')
      await page.getByRole('button', { name: '+1 h' }).click()
      await page.locator('.world-time').getByText('13:00:00').waitFor()
      await page.getByRole('button', { name: '−1 d' }).click()
      await page.locator('.world-time').getByText('dom 1 mar 2026').waitFor()
      assert.equal(await nowOf(stage), NOW - 23 * HOUR)
      await page.keyboard.press(']')
      await page.locator('.world-time').getByText('14:00:00').waitFor()
      await page.keyboard.press('f')
      await page.getByRole('radio', { name: 'Desplazado', checked: true }).waitFor()
      assert.equal((await control.call('GET /clock')).mode, 'shifted')
      // The click checks it before the answer.
      const answer = page.waitForResponse((one) => one.request().method() === 'PUT')
      await page.getByRole('radio', { name: 'Hora real' }).click()
      await answer
      await page.getByRole('radio', { name: 'Hora real', checked: true }).waitFor()
      assert.equal((await control.call('GET /clock')).mode, 'real')
    },
  },
  {
    title:
      'clock: the scrubber works by mouse, keys and typing, moves when the person says so, and follows other programs',
    async run(stage) {
      const { page, open, control } = stage
      await open('#/clock')
      await page.getByRole('combobox', { name: 'Período' }).selectOption('day')
      const scrubber = page.getByRole('slider', { name: 'Hora del mundo' })
      const go = page.getByRole('button', { name: 'Ir', exact: true })
      assert.equal(await go.isDisabled(), true)
      await scrubber.focus()
      await page.keyboard.press('ArrowRight')
      assert.match((await scrubber.getAttribute('aria-valuetext'))!, /^lun 2 mar 2026 12:0\d:\d\d, /)
      assert.equal(await nowOf(stage), NOW)
      await page.keyboard.press('Escape')
      assert.equal(await go.isDisabled(), true)

      const { x, y, width, height } = (await scrubber.boundingBox())!
      await page.mouse.move(x + width / 4, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
      await page.mouse.up()
      await page.keyboard.press('Enter')
      await go.and(page.locator(':disabled')).waitFor()
      const dragged = await nowOf(stage)
      assert.ok(dragged > NOW + 5 * HOUR && dragged < NOW + 7 * HOUR, new Date(dragged).toISOString())

      const field = page.getByLabel('Ir a (UTC)')
      await field.fill('mañana')
      await page.getByText('No se entiende. Sirven +7h').waitFor()
      assert.equal(await go.isDisabled(), true)
      await field.fill('lun 09:00')
      await page.getByText('lun 9 mar 2026 09:00:00').waitFor()
      await field.fill('2026-03-01 08:30')
      await page.getByText('Vuelve atrás').waitFor()
      await go.click()
      await go.and(page.locator(':disabled')).waitFor()
      // Emptied a moment after the button is disabled.
      await field.and(page.locator(':placeholder-shown')).waitFor()
      await page.locator('.world-time').getByText('08:30:00').waitFor()
      assert.equal(await nowOf(stage), Date.UTC(2026, 2, 1, 8, 30))
      await control.call('POST /clock/advance', { body: { by: '2h' } })
      await page.locator('.world-time').getByText('10:30:00').waitFor()
    },
  },
  {
    title: 'clock: what is due is listed, chosen and reached',
    async run({ page, open, control, info }) {
      await control.call('PUT /applications/{id}/notifications', {
        path: { id: info.application.id },
        // Nothing listens there: attempts fail and are due again.
        body: { callback_url: 'http://127.0.0.1:9/hook', overrides: { attempts_at: [0, 15_000, 60_000], spread: 0 } },
      })
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay stock?' } })
      await control.call('POST /settle')
      for (const expires_in of [60, 61])
        await control.call('POST /tokens', { body: { user_id: info.sellers[0]!.id, expires_in } })
      await open('#/clock')
      const entries = page.getByRole('list', { name: 'Notificaciones' }).getByRole('listitem')
      await entries.first().getByText('Intento 2 de la notificación 1').waitFor()
      await page.keyboard.press('n')
      await page.locator('.world-time').getByText('12:00:15').waitFor()
      await entries.first().getByText('Intento 3 de la notificación 1').waitFor()
      await entries.first().getByRole('button', { name: 'Ir hasta aquí' }).click()
      await page.getByText('Antes: 1 token vencido, 1 intento de notificación').waitFor()
      await page.getByRole('button', { name: 'Ir', exact: true }).click()
      await page.getByText('12:01:00 · 1 token vencido, 1 intento de notificación').waitFor()
      // `+1s` counts from the time that the page shows.
      await page.locator('.world-time').getByText('12:01:00').waitFor()
      await page.getByLabel('Ir a (UTC)').fill('+1s')
      await page.keyboard.press('Enter')
      await page.getByText('12:01:01 · 1 token vencido').waitFor()
      await page.getByRole('link', { name: 'Mostrar todo Solicitudes de crédito' }).click()
      await page.waitForURL(/#\/clock\?kind=lead$/)
      await page.getByText('50 de 122').or(page.getByText('100 de 122')).waitFor()
      assert.equal(await page.getByRole('heading', { name: 'Preguntas' }).count(), 0)
    },
  },
  {
    title: 'clock: "back here" says what it takes back, and restores the state before a change',
    async run(stage) {
      const { page, open, api, control } = stage
      await open('#/clock')
      for (const time of ['13:00:00', '14:00:00']) {
        await page.getByRole('button', { name: '+1 h' }).click()
        await page.locator('.world-time').getByText(time).waitFor()
      }
      const asked = await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay stock?' } })
      assert.equal((await api('POST /answers', { question_id: asked.id, text: 'Sí' })).status, 200)
      await page.getByRole('link', { name: 'Instantáneas del mundo' }).click()
      const rows = page.getByRole('list', { name: 'Instantáneas' }).getByRole('listitem')
      await rows.nth(1).getByText('lun 2 mar 2026 12:00:00').waitFor()
      assert.equal(await rows.count(), 2)
      await rows.nth(1).getByRole('button', { name: 'Volver aquí' }).click()
      const dialog = page.getByRole('dialog', { name: '¿Volver a antes de «Mover el reloj»?' })
      await dialog.getByText('Deshace 3 llamadas de control, 1 escritura de tu programa y 2 cambios.').waitFor()
      assert.equal(await dialog.getByText('/clock/advance').count(), 2)
      await dialog.getByText('/questions').waitFor()
      await dialog.getByText('/answers').waitFor()
      await axe(page, 'dialog')
      assert.equal(await nowOf(stage), NOW + 2 * HOUR)
      await dialog.getByRole('button', { name: 'Deshacer' }).click()
      await page.getByText('Antes de cada cambio de la consola').waitFor()
      assert.equal(await nowOf(stage), NOW)
      await assert.rejects(control.call('GET /questions/{id}', { path: { id: asked.id } }), { status: 404 })
    },
  },
]
