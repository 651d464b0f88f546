import { once } from 'node:events'
import { createServer } from 'node:http'
import { inspect } from './inspect.ts'
import type { Journey } from './stage.ts'

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
      try {
        await open('#/start')
        await done(0)
        await inspect(stage, '#/start')
        await open('#/start')
        await api('GET /users/me')
        await done(1)
        await page.getByLabel('Dirección del receptor').fill(`http://127.0.0.1:${port}/`)
        await page.getByRole('button', { name: 'Avisar aquí' }).click()
        await page.getByRole('button', { name: 'Preguntar como comprador' }).click()
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
        await inspect(stage, '#/start')
      } finally {
        receiver.close()
      }
    },
  },
]
