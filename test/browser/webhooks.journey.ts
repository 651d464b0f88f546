import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Journey, Stage } from './stage.ts'

const ITEM = 'MLA1400000001'
const HOSTILE = `<script>alert(1)</script>{{x}}\u202e`

/** Runs with a program that answers each notification with `status`. */
async function withReceiver(status: number, run: (url: string) => Promise<void>): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(HOSTILE))
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    await run(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

const ask = ({ control }: Stage, text = '¿Hay stock?') =>
  control.call('POST /questions', { body: { item_id: ITEM, text } })

const subscribe = ({ control, info }: Stage, callback_url: string, overrides = {}) =>
  control.call('PUT /applications/{id}/notifications', {
    path: { id: info.application.id },
    body: { callback_url, overrides },
  })

export const journeys: Journey[] = [
  {
    title: 'webhooks: an application is set up, and a delivery is sent again',
    async run(stage) {
      const { page, open } = stage
      await withReceiver(200, async (url) => {
        await open('#/webhooks')
        await page.getByText('Todavía no hay notificaciones').waitFor()
        await page.getByRole('button', { name: 'Configurar' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Dirección que las recibe').fill('127.0.0.1/hook')
        await dialog.getByRole('button', { name: 'Guardar' }).click()
        await dialog.locator('[name="callback_url"][aria-invalid="true"]').waitFor()
        await dialog.getByLabel('Dirección que las recibe').fill(url)
        await dialog.getByLabel('Límite para contestar, en ms').fill('60000')
        await dialog.getByRole('button', { name: 'Guardar' }).click()
        await page.getByText('límite 60.000 ms').or(page.getByText('límite 60,000 ms')).waitFor()
        const { id } = await ask(stage)
        await page.getByRole('table').getByRole('link').last().click()
        const detail = page.getByRole('region', { name: '1' })
        await detail.getByText('Intento 1', { exact: true }).waitFor()
        assert.equal(await detail.getByRole('link', { name: `/questions/${id}` }).count(), 1)
        await page.keyboard.press('s')
        await detail.getByText('Intento 2', { exact: true }).waitFor()
        await page.getByText('Notificación 1, intento 2: 200 Entregada').waitFor()
      })
    },
  },
  {
    title: 'webhooks: a failed delivery is held, released and dropped',
    async run(stage) {
      const { page, open, control } = stage
      await withReceiver(503, async (url) => {
        await subscribe(stage, url)
        await ask(stage)
        await control.call('POST /settle')
        await open('#/webhooks/1?status=pending')
        const detail = page.getByRole('region', { name: '1' })
        await detail.getByText('Pendiente').waitFor()
        await detail.getByText('el reloj, que está detenido antes de').waitFor()
        await detail.getByRole('link', { name: '12:00:15' }).waitFor()
        await detail.getByRole('button', { name: 'Reenviar' }).click()
        await page.getByText('Notificación 1, intento 2: 503 no entregada').waitFor()
        await detail.getByRole('link', { name: '12:01:00' }).waitFor()
        await detail.getByText('Enviado').last().click()
        await detail.getByText('application/json').last().waitFor()
        await detail.getByText('/questions/', { exact: false }).last().waitFor()
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await detail.getByRole('button', { name: 'Copiar como curl' }).last().click()
        const { tries } = await control.call('GET /deliveries/{id}', { path: { id: 1 } })
        assert.equal(
          await page.evaluate('navigator.clipboard.readText()'),
          `curl ${url} \\\n  -H 'content-type: application/json' \\\n  --data-raw '${tries[1]!.request.body}'`,
        )
        await open('#/webhooks/2')
        await page.getByRole('link', { name: 'la anterior de este recurso: notificación 1' }).click()
        await detail.getByText('Intento 2', { exact: true }).waitFor()
        await open('#/webhooks/1?status=pending')
        await detail.getByRole('button', { name: 'Retener' }).click()
        await detail.getByText('Retenida').waitFor()
        await page.getByRole('table').getByRole('link').nth(1).waitFor({ state: 'detached' })
        await page.keyboard.press('h')
        await detail.getByText('Pendiente').waitFor()
        await page.keyboard.press('x')
        await detail.getByText('Descartada').waitFor()
        await open('#/webhooks/1')
        await page.getByText('Respuesta', { exact: true }).first().click()
        assert.match(
          await page.locator('.attempts .code').first().innerText(),
          /<script>alert\(1\)<\/script>\{\{x\}\}\\u202e/,
        )
      })
    },
  },
  {
    title: 'webhooks: a topic that was switched off is switched on',
    async run(stage) {
      const { page, open, control, info } = stage
      await withReceiver(503, async (url) => {
        await subscribe(stage, url, { attempts_at: [0], off_after: 1 })
        await ask(stage)
        await control.call('POST /settle')
        await open('#/webhooks')
        await page.getByText('questions apagado desde 12:00:00').waitFor()
        await page.reload()
        await page.getByRole('button', { name: 'Encender' }).click()
        await page.getByText('questions apagado').waitFor({ state: 'detached' })
        const setting = await control.call('GET /applications/{id}/notifications', {
          path: { id: info.application.id },
        })
        assert.deepEqual(setting.topics_off, [])
        assert.deepEqual(setting.overrides, { attempts_at: [0], off_after: 1 })
      })
    },
  },
  {
    title: 'webhooks: all missed deliveries are sent again',
    async run(stage) {
      const { page, open, control } = stage
      await withReceiver(503, async (url) => {
        await subscribe(stage, url, { attempts_at: [0] })
        await ask(stage)
        await ask(stage, '¿Envían?')
        await control.call('POST /settle')
        await open('#/webhooks')
        await page.getByRole('button', { name: 'Reenviar las perdidas (4)' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Reenviar' }).click()
        await page.getByText('4 notificaciones otra vez en camino').waitFor()
        await page.getByText('Intento 2').nth(3).waitFor()
        const { results } = await control.call('GET /deliveries')
        assert.deepEqual(
          results.map(({ attempts }) => attempts),
          [2, 2, 2, 2],
        )
      })
    },
  },
  {
    title: 'webhooks: the receiver inside the server answers as it is set',
    async run(stage) {
      const { page, open } = stage
      await subscribe(stage, 'inbox:')
      await open('#/webhooks')
      await page.getByRole('link', { name: 'Receptor interno' }).click()
      const inbox = page.getByRole('region', { name: 'Receptor interno' })
      await inbox.getByText('Nada recibido todavía.').waitFor()
      await inbox.getByLabel('Contesta con').fill('503')
      await inbox.getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('Notificaciones configuradas').waitFor()
      await ask(stage)
      await inbox.locator('.attempts').getByText('503').first().waitFor()
      await open('#/webhooks/inbox')
      await inbox.getByRole('button', { name: 'Vaciar' }).click()
      await inbox.getByText('Nada recibido todavía.').waitFor()
    },
  },
]
