import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

export const journeys: Journey[] = [
  {
    title: 'overview: a browser that opens the base address sees what is wrong, and a deleted world is gone',
    async run(stage) {
      const { page, url, api, control, info } = stage
      await api('POST /answers', { question: 1 })
      await control.call('POST /faults', { body: { match: { path: '/users/me' }, action: { status: 503 } } })
      await api('GET /users/me')
      await control.call('PUT /applications/{id}/notifications', {
        path: { id: info.application.id },
        body: { callback_url: 'http://127.0.0.1:9/', overrides: { attempts_at: [0] } },
      })
      await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: 'Hola' } })
      await control.call('POST /settle')
      await page.goto(url)
      await page.getByRole('heading', { name: 'Resumen' }).waitFor()
      assert.equal(page.url(), `${url}/_sandbox/console/`)
      await page.getByRole('link', { name: '1 fallo activo, 1 aplicados' }).waitFor()
      await page.getByRole('link', { name: '1 llamada con error (5xx)' }).waitFor()
      await page.getByRole('link', { name: '1 llamada rechazada (4xx)' }).waitFor()
      await page.getByRole('img', { name: /^Rechazadas por minuto: .*2/ }).waitFor()
      await page.getByText('Últimos rechazos').waitFor()
      await page.getByRole('link', { name: '400 POST /answers' }).waitFor()
      await page.getByRole('link', { name: /^[\d.]+ preguntas, \d+ sin responder$/ }).waitFor()
      await page.getByRole('button', { name: 'Guardar instantánea' }).click()
      await page.getByLabel('Nombre').fill('antes')
      await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('Instantánea guardada: antes').waitFor()
      await page.getByRole('button', { name: 'Reiniciar' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reiniciar' }).click()
      await page
        .getByRole('main')
        .getByRole('link', { name: /fallo activo/ })
        .waitFor({ state: 'detached' })
      await page.getByRole('link', { name: '1 llamada rechazada (4xx)' }).waitFor()

      const { world } = await control.call('POST /worlds', { body: { scenario: 'empty' } })
      await page.goto(`${url}/w/${world.id}/_sandbox/console/`)
      await page.getByText('Empieza con la guía').waitFor()
      await control.call('DELETE /worlds/{id}', { path: { id: world.id } })
      await page.getByText(`El mundo ${world.id} no existe`).waitFor()
      await page.getByRole('link', { name: 'Ir al mundo 1' }).click()
      await page.getByRole('heading', { name: 'Resumen' }).waitFor()
    },
  },
  {
    title: 'overview: findings about the program lead to their evidence',
    async run({ page, open, api, control }) {
      await open('#/')
      await page.getByText('Empieza con la guía').waitFor()
      const review = page.getByRole('button', { name: 'Revisar de nuevo' })
      assert.equal(await review.count(), 0, 'there is nothing to review')
      const { id } = await control.call('POST /questions', { body: { item_id: 'MLA1400000001', text: 'Hola' } })
      await api('POST /answers', { question_id: id, text: 'Sí' })
      await page.getByText('Sin hallazgos. 27 comprobaciones en 1 llamada y 0 notificaciones').click()
      await page.getByText('Se volvió a responder una pregunta').waitFor()
      await api('POST /answers', { question_id: id, text: 'Sí' })
      await review.click()
      const finding = page.getByRole('listitem').filter({ hasText: 'riesgo' })
      await finding.getByText('Se volvió a responder una pregunta').click()
      await finding.getByText('la segunda se rechaza').waitFor()
      await finding.getByText(`/questions/${id}`).waitFor()
      assert.equal(await page.getByText('Sin hallazgos').count(), 0)
      await finding.getByRole('link', { name: '#2' }).click()
      await page.getByRole('button', { name: '¿Por qué?' }).waitFor()
      await page.waitForURL(/#\/requests\/2$/)
    },
  },
  {
    title: 'overview: the palette goes everywhere, and the keys are listed',
    async run({ page, open }) {
      await open('#/')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('llam')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Llamadas' }).waitFor()
      for (const [typed, address] of [
        ['overview', ''],
        ['resumo', ''],
        ['Webhooks', 'webhooks'],
        ['en-vivo', 'live'],
        ['créditos?q=1', 'credits?q=1'],
      ]) {
        await open(`#/${typed}`)
        await page.waitForURL((url) => url.hash === `#/${address}`)
      }
      await open('#/nada')
      await page.getByText('Esta pantalla no existe').waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Teclas' }).waitFor()
      const screens = await page.locator('.sidebar a').count()
      assert.equal(
        await page.getByText(/^Ir a /).count(),
        screens - 1,
        'each screen has a letter, the reference has none',
      )
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const typedInto = await page.evaluate<string | null>(`new Promise((resolve) => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
        setTimeout(() => resolve(document.activeElement.role))
      })`)
      assert.equal(typedInto, 'combobox', 'the palette gets the letters that are typed with no pause')
    },
  },
  {
    title: 'overview: the search does things with arguments, finds what the world has, and remembers',
    async run({ page, open, control }) {
      await control.call('POST /items', {
        body: { seller_id: 2500000101, id: 'MLA77', title: 'Bicicleta <b>azul</b>' },
      })
      await open('#/')
      const choose = async (text: string, option: string | RegExp) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(text)
        await page.getByRole('option', { name: option, exact: true }).click()
      }
      const clock = async () => Date.parse((await control.call('GET /clock')).now)
      const before = await clock()
      await choose('adel', 'adelantar 7h, 3d, -1d')
      await page.keyboard.type('7h')
      await page.keyboard.press('Enter')
      await page.getByText('Hecho: adelantar 7h').waitFor()
      assert.equal((await clock()) - before, 7 * 3_600_000)
      await choose('fallo /answers 503', 'fallo /answers 503')
      const made = (label: string) => page.getByRole('link', { name: `${label} · ` })
      await made('fallo /answers 503').waitFor()
      const { results } = await control.call('GET /faults')
      assert.deepEqual(results[0]!.match, { path: '/answers' })
      await made('fallo /answers 503').click()
      await page.waitForURL((url) => url.hash === `#/faults/${results[0]!.id}`)
      await page.getByRole('heading', { name: 'Fallos' }).waitFor()
      await choose('fallo /ansers 503', 'fallo /ansers 503')
      await page.getByRole('alert').getByText('/answers').waitFor()
      await page.getByRole('button', { name: 'Cerrar' }).last().click()
      await choose('preguntar MLA77 ¿Hay stock?', 'preguntar MLA77 ¿Hay stock?')
      await made('preguntar MLA77 ¿Hay stock?').waitFor()
      const { results: asked } = await control.call('GET /questions', { query: { item_id: 'MLA77' } })
      assert.equal(await made('preguntar MLA77 ¿Hay stock?').getAttribute('href'), `#/questions/${asked[0]!.id}`)
      for (const [text, option] of [
        ['bicicleta', 'Bicicleta <b>azul</b> MLA77'],
        [String(2500000101), /2500000101/],
        ['post answers', 'Probar: POST /answers /docs'],
      ] as const) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(text)
        await page.getByRole('option', { name: option }).first().waitFor()
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('Control+k')
      // What was used last comes first, once the palette knows its actions.
      await page.getByRole('option').first().filter({ hasText: 'preguntar MLA77 ¿Hay stock?' }).waitFor()
    },
  },
  {
    title: 'overview: messages are merged, stay out of the way, and an error is shown at its field',
    async run({ page, open }) {
      await open('#/')
      for (let n = 0; n < 3; n++) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('detener el reloj')
        await page.getByRole('option', { name: 'detener el reloj', selected: true }).waitFor()
        await page.keyboard.press('Enter')
        await page.getByText(n === 0 ? 'Hecho: detener el reloj' : `Hecho: detener el reloj × ${n + 1}`).waitFor()
      }
      assert.equal(await page.locator('.toast').count(), 1)
      await page.getByRole('button', { name: 'Guardar instantánea' }).click()
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Nombre')
      await field.fill('un nombre')
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await dialog.getByText('must be').waitFor()
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.equal(await page.evaluate('document.activeElement.name'), 'name')
      await field.fill('nombre')
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('Instantánea guardada: nombre').waitFor()
    },
  },
]
