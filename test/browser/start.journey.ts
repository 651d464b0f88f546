import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { inspect } from './inspect.ts'
import type { Journey } from './stage.ts'

const CHANGES = /Avisar aquí|Preguntar como comprador|Crear solicitud|Adelantar/

export const journeys: Journey[] = [
  {
    title: 'guide: each step is done when the server has seen it',
    async run(stage) {
      const { page, open, api } = stage
      const receiver = createServer((request, response) => {
        request.resume()
        response.end()
      })
      await once(receiver.listen(0, '127.0.0.1'), 'listening')
      const { port } = receiver.address() as { port: number }
      const done = (n: number) => page.getByText(`${n} de 6 pasos`).waitFor()
      const notifyAt = async (url: string) => {
        await page.getByLabel('Dirección del receptor').fill(url)
        await page.getByRole('button', { name: 'Avisar aquí' }).click()
        await page.getByText('El servidor avisa en esta dirección').waitFor()
        await page.getByRole('button', { name: 'Preguntar como comprador' }).click()
      }
      try {
        await open('#/start')
        await done(0)
        await inspect(stage, '#/start')
        await open('#/start')
        await api('GET /users/me')
        await done(1)
        await notifyAt('http://127.0.0.1:9/')
        await page.getByText('El aviso está esperando').waitFor()
        await notifyAt(`http://127.0.0.1:${port}/`)
        await done(2)
        const code = page.locator('details[open] .code').first()
        await page.getByRole('heading', { name: 'Lee la pregunta' }).waitFor()
        const [, id] = /\/questions\/(\d+)/.exec(await code.innerText())!
        await api(`GET /questions/${id}`)
        await done(3)
        await api('POST /answers', { question_id: Number(id), text: 'Sí' })
        await done(4)
        await page.getByRole('heading', { name: 'Rompe y arregla' }).waitFor()
        const [, next] = /"question":(\d+)/.exec(await code.innerText())!
        await api('POST /answers', { question: Number(next), text: 'Sí' })
        await page.getByRole('link', { name: 'Ver la llamada rechazada' }).waitFor()
        await api('POST /answers', { question_id: Number(next), text: 'Sí' })
        await done(5)
        await page.getByRole('button', { name: 'Crear solicitud' }).click()
        await page.getByText('en análisis, no vencida').waitFor()
        await page.getByRole('button', { name: 'Adelantar 31 días' }).click()
        await done(6)
        await page.getByText('Listo: tu programa llama').waitFor()
        await page.getByRole('link', { name: 'Atrasa el reloj' }).waitFor()
        await inspect(stage, '#/start')
      } finally {
        receiver.close()
      }
    },
  },
  {
    title: 'guide: viewers read it, and why they cannot change the world',
    server: { adminToken: 'llave', viewerToken: 'solo-ver' },
    async run(stage) {
      const { page, open, info } = stage
      await open('#/start')
      await page.getByLabel('Token de administración').fill('solo-ver')
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByText('Solo lectura').waitFor()
      const reason = page.getByText('puede verlo todo, salvo secretos, y no cambia nada')
      for (const step of ['Recibe un aviso', 'Lee la pregunta', 'Respóndela', 'Rompe y arregla', 'Mueve el tiempo']) {
        const section = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: step }) })
        await section.getByRole('heading', { name: step }).click()
        if (!/Lee|Resp|Rompe/.test(step)) await section.locator(reason).waitFor()
        assert.equal(await section.getByRole('button', { name: CHANGES }).count(), 0, step)
        assert.equal(await section.getByRole('textbox').count(), 0, step)
      }
      assert.equal(await page.getByRole('button', { name: 'Mostrar el token' }).count(), 0)
      assert.equal((await page.content()).includes(info.sellers[0]!.token), false)
      await inspect(stage, '#/start')
    },
  },
]
