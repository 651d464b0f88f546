import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { axe } from './axe.ts'
import { type Journey, NOW } from './stage.ts'

const HOSTILE = `<img src=x onerror=alert(1)>{{x}}\u202e😀"'&`

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const dialogOf = (page: Page) => page.getByRole('dialog')
const rowsOf = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem')

export const journeys: Journey[] = [
  {
    title: 'worlds: a snapshot is taken, the world changed and restored',
    async run({ page, open, control }) {
      await open('#/worlds')
      await page.getByText('Todavía no hay instantáneas').waitFor()
      await page.keyboard.press('s')
      await page.getByLabel('Nombre').fill('antes')
      await page.getByLabel('Descripción').fill('Antes del pago')
      await page.getByRole('button', { name: 'Guardar', exact: true }).click()
      const row = rowsOf(page, 'Instantáneas').filter({ hasText: 'Antes del pago' })
      await row.waitFor()
      const { id } = await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay stock?' } })
      await row.getByRole('button', { name: 'Restaurar' }).click()
      await dialogOf(page).getByText('1 pregunta nueva').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Restaurar' }).click()
      await page.getByText('Restaurado: antes').waitFor()
      await assert.rejects(control.call('GET /questions/{id}', { path: { id } }))
      await page.locator('.stream[data-state=live]').waitFor()
      await row.getByRole('button', { name: 'Borrar' }).click()
      await dialogOf(page).getByRole('button', { name: 'Borrar' }).click()
      await row.waitFor({ state: 'detached' })
      await rowsOf(page, 'Instantáneas').getByText('antes de «Restaurar antes»').waitFor()
    },
  },
  {
    title: 'worlds: a world is created, opened, copied and deleted',
    async run({ page, open, url, control }) {
      await open('#/worlds')
      await page.keyboard.press('+')
      await page.getByLabel('Nombre').fill('Pagos')
      await page.getByLabel('Contenido').selectOption('empty')
      await page.getByLabel('Detener el reloj en').fill('ayer')
      await page.getByRole('button', { name: 'Crear', exact: true }).click()
      await dialogOf(page).getByText('must be').waitFor()
      await page.getByLabel('Detener el reloj en').fill('2026-03-02T12:00:00Z')
      await page.getByLabel('Vence').selectOption('86400')
      await page.getByRole('button', { name: 'Crear', exact: true }).click()
      await page.getByText('Creado:').waitFor()
      const { results } = await control.call('GET /worlds')
      assert.deepEqual([results[1]!.id, results[1]!.created_by, results[1]!.expires_at !== null], [2, 'console', true])
      await rowsOf(page, 'Otros mundos').getByRole('link', { name: 'Pagos' }).click()
      await page.getByRole('heading', { name: 'Pagos' }).waitFor()
      assert.equal(page.url(), `${url}/w/2/_sandbox/console/#/worlds`)
      await press(page, 'Cambiar')
      await dialogOf(page).getByLabel('Nombre').fill(HOSTILE)
      await dialogOf(page).getByRole('button', { name: 'Guardar' }).click()
      await page.getByRole('heading', { name: '<img src=x' }).waitFor()
      await press(page, 'Duplicar')
      await dialogOf(page).getByRole('button', { name: 'Duplicar' }).click()
      await rowsOf(page, 'Otros mundos').filter({ hasText: 'Mundo 3' }).waitFor()
      await press(page, 'Borrar')
      await dialogOf(page).getByText('No se puede deshacer').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Borrar' }).click()
      await page.waitForURL(`${url}/_sandbox/console/#/worlds`)
      await rowsOf(page, 'Otros mundos').filter({ hasText: 'Mundo 3' }).waitFor()
      assert.deepEqual(
        (await control.call('GET /worlds')).results.map(({ id }) => id),
        [1, 3],
      )
    },
  },
  {
    title: 'worlds: the world file is downloaded, a wrong one rejected, and the right one loaded',
    server: { scenario: 'quiet' },
    async run({ page, open, url, control }) {
      await open('#/worlds')
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Descargar archivo')])
      assert.equal(download.suggestedFilename(), 'mercadito-1.json')
      const file = readFileSync((await download.path())!, 'utf8')
      assert.equal(file, await (await fetch(`${url}/_sandbox/world`)).text())
      const { id } = await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay stock?' } })
      await press(page, 'Cargar archivo')
      const field = dialogOf(page).getByLabel('Archivo de mundo')
      const send = dialogOf(page).getByRole('button', { name: 'Cargar archivo' })
      await field.setInputFiles({
        name: 'a.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"version":1,"items":[{}]}'),
      })
      await send.click()
      await dialogOf(page).getByText('items[0]').waitFor()
      await field.setInputFiles({ name: `${HOSTILE}.json`, mimeType: 'application/json', buffer: Buffer.from(file) })
      await send.click()
      await page.getByText('Cargado: <img').waitFor()
      assert.equal(await (await fetch(`${url}/_sandbox/world`)).text(), file)
      await press(page, 'Deshacer')
      await page.getByText('Deshecho: Cargar archivo').waitFor()
      assert.equal((await control.call('GET /questions/{id}', { path: { id } })).text, '¿Hay stock?')
    },
  },
  {
    title: 'worlds: the name of a kept world is typed before a loss',
    server: { mode: 'kept' },
    async run({ page, open, control, api }) {
      await api('POST /answers', {})
      await open('#/worlds')
      await press(page, 'Reiniciar')
      const reset = dialogOf(page).getByRole('button', { name: 'Reiniciar' })
      await dialogOf(page).getByText('Las instantáneas quedan').waitFor()
      assert.equal(await reset.isDisabled(), true)
      await dialogOf(page).getByLabel('Para confirmar').fill('Mundo 2')
      assert.equal(await reset.isDisabled(), true)
      await dialogOf(page).getByLabel('Para confirmar').fill('Mundo 1')
      await dialogOf(page).getByLabel('Conservar la lista de llamadas').uncheck()
      await reset.click()
      await page.getByText('El mundo está como al principio').waitFor()
      assert.equal((await control.call('GET /requests')).paging.total, 0)
      await page.locator('.stream[data-state=live]').waitFor()

      await press(page, 'Duplicar')
      await dialogOf(page).getByLabel('Nombre').fill('Copia')
      await dialogOf(page).getByRole('button', { name: 'Duplicar' }).click()
      const copy = rowsOf(page, 'Otros mundos').first()
      await copy.getByRole('link', { name: 'Copia' }).waitFor()
      await copy.getByRole('button', { name: 'Cambiar' }).click()
      await dialogOf(page).getByLabel('Nombre').fill('Pruebas de pago')
      await dialogOf(page).getByRole('button', { name: 'Guardar' }).click()
      await copy.getByRole('link', { name: 'Pruebas de pago' }).waitFor()
      await copy.getByRole('button', { name: 'Borrar' }).click()
      const remove = dialogOf(page).getByRole('button', { name: 'Borrar' })
      await dialogOf(page).getByLabel('Para confirmar').fill('Copia')
      assert.equal(await remove.isDisabled(), true)
      await dialogOf(page).getByLabel('Para confirmar').fill('Pruebas de pago')
      await remove.click()
      await page.getByText('Borrado: Pruebas de pago').waitFor()
      await copy.waitFor({ state: 'detached' })
      assert.deepEqual(
        (await control.call('GET /worlds')).results.map(({ id }) => id),
        [1],
      )
    },
  },
  {
    title: 'worlds: a program writes, and the person compares and goes back',
    server: { autoSnapshots: 10 },
    async run({ page, open, url, control, api }) {
      const badges = (row: Locator) => row.locator('.badge').allInnerTexts()
      await open('#/worlds')
      await page.getByText('Antes de cada cambio de la consola').waitFor()
      await page.keyboard.press('d')
      await page.getByRole('heading', { name: 'Comparar' }).waitFor()
      await page.getByText('Los dos estados son iguales').waitFor()
      const text = `${HOSTILE} ${'x'.repeat(500)}`
      const ids: number[] = []
      for (let n = 0; n < 51; n++)
        ids.push((await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text } })).id)
      await control.call('POST /snapshots', { body: { name: 'antes' } })
      assert.equal((await api('POST /answers', { question_id: ids[0], text: 'Sí' })).status, 200)
      assert.equal((await api(`DELETE /questions/${ids[1]}`)).status, 200)

      await open('#/worlds')
      const automatic = rowsOf(page, 'Instantáneas').filter({ hasText: 'auto.' })
      await page.getByText('1 instantánea automática').click()
      await automatic.getByText('antes de «POST /answers»').waitFor()
      await automatic.getByText('de tu programa').waitFor()
      await automatic.getByRole('link', { name: 'Comparar' }).click()
      await page.getByText('1 pregunta respondida').waitFor()
      await page.getByText('1 pregunta borrada').waitFor()
      await page.getByText('En las tablas').click()
      const tables = rowsOf(page, 'En las tablas')
      const question = tables.filter({ has: page.getByRole('link', { name: 'question', exact: true }) })
      await question.waitFor()
      assert.deepEqual(await badges(question), ['± 2 cambiadas'])
      await page.getByLabel('Hasta').selectOption('inicio')
      await page.getByText('51 preguntas menos').waitFor()
      await page.getByText('En las tablas').click()
      await question.getByText('− 51 borradas').waitFor()
      await page.getByLabel('Desde').selectOption('inicio')
      await page.getByText('Los dos estados son iguales').waitFor()
      await page.getByLabel('Hasta').selectOption('antes')
      await page.getByText('51 preguntas nuevas').waitFor()
      await page.getByText('En las tablas').click()
      await question.getByText('+ 51 nuevas').waitFor()
      assert.equal(new URL(page.url()).hash, '#/worlds/diff?from=start&to=snapshot%3Aantes')
      await question.getByRole('link').press('Enter')
      const rows = rowsOf(page, 'question')
      await rows.first().waitFor()
      assert.equal(await rows.count(), 50)
      assert.deepEqual(await badges(rows.first()), ['+ nueva'])
      await rows.first().getByText('<img src=x onerror').waitFor()
      await page.getByText('50 de 51').waitFor()
      await page.getByRole('link', { name: 'Más' }).click()
      await page.getByText('51 de 51').waitFor()
      assert.equal(await rows.count(), 1)

      await open('#/worlds/diff?table=question&from=snapshot:antes&to=now')
      const changed = rows.filter({ hasText: '± cambiada' })
      await changed.getByText('"UNANSWERED" → "ANSWERED"').waitFor()
      await rows.getByText('"UNANSWERED" → "DELETED"').waitFor()
      assert.equal(await rows.count(), 2)
      await axe(page, 'rows')
      await page.keyboard.press('Escape')
      await page.getByText('1 pregunta respondida').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Mundos', exact: true }).waitFor()
      await open('#/worlds/diff?from=world:7')
      await page.getByText('from: world 7 not found').waitFor()
      assert.equal(await page.getByLabel('Desde').inputValue(), 'world:7')

      await open('#/worlds')
      await page.getByText('1 instantánea automática').click()
      await automatic.getByRole('button', { name: 'Volver aquí' }).click()
      await dialogOf(page).getByText('2 escrituras de tu programa').waitFor()
      await dialogOf(page).getByText('1 pregunta borrada').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Deshacer' }).click()
      await page.getByText('Deshecho: POST /answers').waitFor()
      const { status } = await control.call('GET /questions/{id}', { path: { id: ids[0]! } })
      assert.equal(status, 'UNANSWERED')
      assert.equal((await fetch(`${url}/_sandbox/questions/${ids[1]}`)).status, 200)
    },
  },
  {
    title: 'worlds: the header switches between worlds, and two worlds are compared',
    async run({ page, open, url, control, openTab }) {
      for (const name of ['Pagos', HOSTILE])
        await control.call('POST /worlds', { body: { from: 1, name, now: new Date(NOW).toISOString() } })
      const other = control.world(2)
      await other.call('POST /loans', { body: { item_id: 'MLA1400000001', status: 'approved' } })
      await other.call('POST /clock/advance', { body: { by: '30d' } })
      await open('#/faults')
      await page.getByRole('button', { name: 'Mundo 1' }).click()
      await dialogOf(page).getByRole('link', { name: '<img' }).waitFor()
      assert.match(await dialogOf(page).getByRole('link').first().innerText(), /^Pagos/, 'used last')
      await axe(page, 'dialog')
      await page.keyboard.type('pag')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${url}/w/2/_sandbox/console/#/faults`)
      const tab = await openTab('#/worlds/diff?from=now')
      await tab.getByLabel('Hasta').selectOption('Pagos')
      await tab.getByText('1 solicitud de crédito nueva').waitFor()
      await tab.getByText(/solicitudes de crédito vencidas/).waitFor()
    },
  },
]
