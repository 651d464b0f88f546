import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { copyWith, openTerminal } from './programs.ts'
import type { Journey, Stage } from './stage.ts'

/** Starts a receiver that answers webhooks with a status, and has the server notify it. */
async function startReceiver({ control, info }: Stage, status: number): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await control.call('PUT /applications/{id}/notifications', {
    path: { id: info.application.id },
    body: { callback_url: `http://127.0.0.1:${port}/` },
  })
  return server
}

/** The lanes of the steps of the chain. */
const lanesOf = (page: Page): Promise<string[]> =>
  page.locator('.chain li').evaluateAll((steps) => steps.map((step) => step.dataset.lane))

const entry = (text: string) => `.timeline .entry:has-text("${text}")`

export const journeys: Journey[] = [
  {
    title: 'live: ask, follow the chain to the refused call, see why, and copy it as a test that passes',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    async run(stage) {
      const { page, open, api, info } = stage
      await open('#/live')
      await page.getByText('Todavía no pasó nada').waitFor()
      const receiver = await startReceiver(stage, 200)
      try {
        await page.keyboard.press('a')
        await page.keyboard.type('¿Hacen envíos?')
        await page.keyboard.press('Enter')
        await page.locator(entry('Pregunta hecha')).waitFor()
        await page.locator('.timeline .entry:has(meter)').first().waitFor()
        const bubble = page.locator('.bubble', { hasText: '¿Hacen envíos?' })
        await bubble.waitFor()
        const [asked, form] = await Promise.all([bubble.boundingBox(), page.locator('.phone-ask').boundingBox()])
        assert.ok(asked!.y + asked!.height < form!.y, 'the newest question is in view')
        const search = await api(`GET /questions/search?seller_id=${info.sellers[0]!.id}&status=UNANSWERED&limit=1`)
        const { questions } = (await search.json()) as { questions: { id: number }[] }
        const { id } = questions[0]!
        await api('POST /answers', { question: id, text: 'Sí' })
        await page.locator(`${entry('/answers')}:has-text("400")`).waitFor()
        await api('POST /answers', { question_id: id, text: 'Sí, a todo el país' })
        await page.locator('.bubble.reply', { hasText: 'Sí, a todo el país' }).waitFor()
        await page.locator(entry('Pregunta hecha')).click()
        const chain = page.getByRole('region', { name: 'Cadena' })
        await chain.getByText('Pregunta hecha').waitFor()
        await page.waitForURL(/#\/live\?pick=c\d+$/)
        // Each change has a webhook to the seller and one to the buyer.
        await page.locator('.chain [data-lane="webhooks"]').nth(3).waitFor()
        const before = await lanesOf(page)
        const answered = ['calls', 'changes', 'webhooks', 'webhooks']
        assert.deepEqual(before, ['outside', 'changes', 'webhooks', 'webhooks', 'calls', 'calls', ...answered])
        await page.reload()
        await chain.getByText('Pregunta hecha').waitFor()
        assert.deepEqual(await lanesOf(page), before, 'the chain is the same after a reload')
        await page.getByRole('heading', { name: 'En vivo' }).click()
        await page.keyboard.press('t')
        const test = page.getByRole('dialog', { name: 'Copiar como prueba' })
        await test
          .getByText(/question_id.*question/)
          .first()
          .waitFor()
        await test.getByRole('radio', { name: 'Node' }).check()
        const copied = await copyWith(test.getByRole('button', { name: 'Copiar' }), page)
        const terminal = await openTerminal(`export MERCADITO_TOKEN=${info.sellers[0]!.token}`)
        // The buyer asks again, the wrong answer is rejected again, and the right one accepted.
        assert.match(
          await terminal.run('Node', copied, `'${process.execPath}' --test call.mjs`),
          /\bpass 1\n.*fail 0\n/,
        )
        terminal.close()
        await page.keyboard.press('Escape')
        await page
          .locator(`${entry('/answers')}:has-text("400")`)
          .first()
          .click()
        await page.getByRole('region', { name: 'Cadena' }).getByText('/answers').first().click()
        // The answer has it, and its explanation, which is read later.
        await page.getByText('Valid attributes are').first().waitFor()
      } finally {
        receiver.close()
      }
    },
  },
  {
    title: 'live: a webhook that reaches no receiver says why',
    async run({ page, open, control, info }) {
      await open('#/live')
      await page.getByText('Todavía no pasó nada').waitFor()
      const path = { id: info.application.id }
      const body = { callback_url: 'http://127.0.0.1:9/' }
      await control.call('PUT /applications/{id}/notifications', { path, body })
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay stock?' } })
      await page.locator(entry('connection refused')).waitFor()
    },
  },
  {
    title: 'live: a world without listings says how to create one',
    server: { scenario: 'empty' },
    async run({ page, open, control, info }) {
      await open('#/live')
      await page.getByText('Este mundo no tiene publicaciones activas').waitFor()
      await page.getByText(`"seller_id":${info.sellers[0]!.id}`).waitFor()
      await control.call('POST /items', { body: { title: 'Mouse', seller_id: info.sellers[0]!.id } })
      await page.getByLabel('Tu pregunta').waitFor()
    },
  },
  {
    title: 'live: a screen that is left while it scrolls ends without an error',
    async run({ page, open, api }) {
      for (let n = 0; n < 40; n++) await api(`GET /currencies?n=${n}`)
      for (const name of ['live', 'requests']) {
        await open(`#/${name}`)
        await page.locator('.table [data-index]').first().waitFor()
        // The element is removed before the browser tells it that it has scrolled.
        await page.evaluate(`{
          const table = document.querySelector('.table')
          table.scrollTo({ top: table.scrollTop > 0 ? 0 : table.scrollHeight })
          location.hash = '#/clock'
        }`)
        await page.getByRole('heading', { name: 'Reloj' }).waitFor()
      }
    },
  },
  {
    title: 'live: pause counts what waits, and the filter keeps lines',
    async run({ page, open, api }) {
      await api('GET /users/me')
      await open('#/live')
      await page.locator(entry('/users/me')).waitFor()
      await page.keyboard.press('p')
      await page.getByRole('button', { name: 'Seguir' }).waitFor()
      await api('GET /currencies')
      await page.getByRole('button', { name: 'Seguir · 1 espera' }).waitFor()
      assert.equal(await page.locator(entry('/currencies')).count(), 0)
      await page.keyboard.press('p')
      await page.locator(entry('/currencies')).waitFor()
      await page.getByRole('searchbox').fill('users')
      await page.locator(entry('/currencies')).waitFor({ state: 'detached' })
      await page.waitForURL(/#\/live\?q=users$/)
    },
  },
  {
    title: 'live: the latest line stays in view when a chain opens below',
    async run({ page, open, api }) {
      for (let n = 0; n < 40; n++) await api(`GET /currencies?n=${n}`)
      await open('#/live')
      const latest = page.locator(entry('n=39'))
      await latest.click()
      const chain = page.getByRole('region', { name: 'Cadena' })
      await chain.waitFor()
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const [line, below] = await Promise.all([latest.boundingBox(), chain.boundingBox()])
      assert.ok(line!.y + line!.height <= below!.y)
    },
  },
  {
    title: 'live: the past has control calls and what they changed, also without a webhook',
    async run({ page, open, control }) {
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Envían?' } })
      await open('#/live')
      await page.locator(entry('Pregunta hecha')).click()
      await page.getByRole('region', { name: 'Cadena' }).getByText('Pregunta 1').waitFor()
      assert.deepEqual(await lanesOf(page), ['outside', 'changes'])
    },
  },
  {
    title: 'live: hostile text stays text',
    async run(stage) {
      const { page, open, control } = stage
      const text = `<img src=x onerror=alert(1)>{{x}}\u202e😀${'x'.repeat(1900)}`
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text } })
      await open('#/live?item=MLA1400000001')
      await page.locator('.bubble', { hasText: '<img src=x onerror=alert(1)>{{x}}\\u202e😀' }).waitFor()
    },
  },
]
