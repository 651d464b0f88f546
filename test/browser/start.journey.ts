import assert from 'node:assert/strict'
import { control as controlOf } from '../../lib/control.ts'
import { freePort } from '../../tools/free_port.ts'
import { until } from '../support/until.ts'
import { copyWith, openTerminal, type Terminal } from './programs.ts'
import type { Journey, Stage } from './stage.ts'

/** Copies the program of the open step in a language, and runs it. */
async function runCopied({ page }: Stage, terminal: Terminal, language: string, nth = 0): Promise<string> {
  const copyAs = page.locator('details[open] .copy-as').nth(nth)
  await copyAs.getByRole('radio', { name: language, exact: true }).check()
  return terminal.run(language, await copyWith(copyAs.getByRole('button', { name: 'Copiar' }), page))
}

/** Copies the receiver of the guide, and starts it. Its port may be in use here. */
async function startReceiver({ page }: Stage, terminal: Terminal, port: number): Promise<string[]> {
  const copyAs = page.locator('details[open] .copy-as')
  await copyAs.getByRole('radio', { name: 'Node' }).check()
  const text = await copyWith(copyAs.getByRole('button', { name: 'Copiar' }), page)
  assert.match(text, /listen\(3000, '127\.0\.0\.1'\)/)
  const receiver = terminal.start('Node', text.replaceAll('3000', String(port)))
  const received: string[] = []
  receiver.stdout!.setEncoding('utf8').on('data', (line: string) => received.push(line))
  const isUp = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(Boolean, () => false)
  await until('the receiver', () => receiver.exitCode !== null || isUp())
  assert.equal(receiver.exitCode, null)
  return received
}

export const journeys: Journey[] = [
  {
    title: 'guide: done with the programs that it shows, each step is ticked when the server has seen it',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    async run(stage) {
      const { page, open, info } = stage
      const notifyAt = async (url: string) => {
        await page.getByLabel('Dirección del receptor').fill(url)
        await page.getByRole('button', { name: 'Notificar aquí' }).click()
        await page.getByText('El servidor notifica en esta dirección').waitFor()
        await page.getByRole('button', { name: 'Preguntar como comprador' }).click()
      }
      const done = (n: number) => page.getByText(`${n} de 6 pasos`).waitFor()
      await open('#/start')
      await done(0)
      const variables = await copyWith(page.getByRole('button', { name: 'Copiar' }).first(), page)
      const terminal = await openTerminal(variables)
      const { languages } = terminal
      const last = languages.at(-1)!
      try {
        assert.deepEqual(languages.slice(0, 2), ['curl', 'Node'])
        const isMe = new RegExp(`"id":${info.sellers[0]!.id},`)
        assert.match(await runCopied(stage, terminal, 'curl'), isMe)
        await done(1)
        // A step that is done closes, but can be read again.
        const first = page.getByRole('heading', { name: 'Llama a la API' })
        await first.click()
        for (const language of languages) assert.match(await runCopied(stage, terminal, language), isMe)
        await first.click()

        const port = await freePort()
        const received = await startReceiver(stage, terminal, port)
        await notifyAt('http://127.0.0.1:9/')
        await page.getByText('La notificación está esperando').waitFor()
        await notifyAt(`http://127.0.0.1:${port}/`)
        await done(2)
        const [, question] = /"resource":"\/questions\/(\d+)"/.exec(received.join(''))!

        await page.getByRole('heading', { name: 'Lee la pregunta' }).waitFor()
        assert.match(await runCopied(stage, terminal, last), new RegExp(`"id":${question}.*"UNANSWERED"`))
        await done(3)
        assert.match(await runCopied(stage, terminal, 'Node'), /^200 .*"ANSWERED"/)
        await done(4)

        await page.getByRole('heading', { name: 'Rompe, entiende y arregla' }).waitFor()
        assert.match(await runCopied(stage, terminal, 'curl'), /"status":400/)
        await page.getByRole('link', { name: 'Ver por qué, y qué habría funcionado' }).waitFor()
        assert.match(await runCopied(stage, terminal, 'curl', 1), /"ANSWERED"/)
        await done(5)

        await page.getByRole('button', { name: 'Crear solicitud' }).click()
        await page.getByText('en análisis, no vencida').waitFor()
        await page.getByRole('button', { name: 'Adelantar 31 días' }).click()
        await done(6)
        await page.getByText('Listo: tu programa llama').waitFor()
        const evidence = page.locator('.guide-evidence a')
        assert.equal(await evidence.count(), 6)
        assert.match(await evidence.first().innerText(), /^GET \/users\/me → 200, \d\d:\d\d:\d\d$/)
        assert.match((await evidence.nth(1).getAttribute('href')) ?? '', /^#\/webhooks\/\d+$/)
        await page.getByRole('link', { name: 'Atrasa el reloj' }).waitFor()
      } finally {
        terminal.close()
      }
    },
  },
  {
    title: 'guide: a demonstration needs no program, and a first visit leaves no error in the log of the browser',
    async run({ page, open, control, url }) {
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await open('#/guía')
      await page.waitForURL(/#\/start$/)
      await page.getByText('mercadito es un marketplace de prueba').waitFor()
      assert.deepEqual(errors, [])
      await page.getByRole('button', { name: 'Ver una demostración' }).click()
      await page.getByRole('heading', { name: 'En vivo' }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/w/2/_sandbox/console/')
      await page.getByText('Demostración').first().waitFor()
      const demonstration = controlOf(`${url}/w/2`)
      const calls = async (status: string) =>
        (await demonstration.call('GET /requests', { query: { path: '/answers', status } })).paging.total
      await until('an answer and a refused one', async () => (await calls('2xx')) > 2 && (await calls('4xx')) > 0)
      const { paging } = await demonstration.call('GET /deliveries', { query: { status: 'delivered' } })
      assert.ok(paging.total > 0)
      assert.equal((await control.call('GET /requests')).paging.total, 0, 'the own world is as it was')
    },
  },
]
