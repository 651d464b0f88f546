import assert from 'node:assert/strict'
import { checkRecording } from '../../replay/check.ts'
import { copyWith, openTerminal } from './programs.ts'
import type { Journey } from './stage.ts'

const HOSTILE = `<script>alert(1)</script>{{x}}\u202e😀"'&`

export const journeys: Journey[] = [
  {
    title: 'requests: calls appear as they happen, are filtered, verified and made to fail',
    async run(stage) {
      const { page, open, api, control } = stage
      await open('#/requests')
      await page.getByText('Todavía no hay llamadas').waitFor()
      await api('GET /users/me')
      const rows = page.getByRole('table').getByRole('link')
      await rows.getByText('/users/me').waitFor()
      await api('POST /answers', { question: 1, text: 'Hola' })
      await rows.getByText('/answers').waitFor()
      await page.getByRole('radio', { name: '4xx' }).check()
      await rows.getByText('/users/me').waitFor({ state: 'detached' })
      await page.waitForURL(/#\/requests\?status=4xx$/)
      await rows.getByText('/answers').click()
      await page.waitForURL(/#\/requests\/2\?status=4xx$/)
      await page.getByRole('button', { name: 'Verificar' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Verificar' }).click()
      await dialog.getByText('Coincide: 1').waitFor()
      await dialog.getByLabel('Lo esperado (JSON)').fill('{"path":"/answers","times":2}')
      await dialog.getByRole('button', { name: 'Verificar' }).click()
      await dialog.getByRole('alert').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Hacer fallar' }).click()
      await page.waitForURL(/#\/faults\/new\?method=POST&path=%2Fanswers/)
      await open('#/requests')
      await page.getByRole('link', { name: 'Cobertura' }).click()
      await page.waitForURL(/#\/requests\/coverage$/)
      await page.getByText(/^Se llamaron 2 de \d+ operaciones de la API$/).waitFor()
      const operation = page.getByRole('listitem').filter({ hasText: 'POST /answers' })
      assert.equal(await operation.innerText(), 'POST /answers\n400 × 1')
      await page.getByRole('listitem').filter({ hasText: 'Hubo demasiadas llamadas: 429todavía no' }).waitFor()
      await control.call('POST /reset', { body: { keep_requests: true } })
      await open('#/requests')
      await page.getByRole('row', { name: 'Mundo reiniciado' }).waitFor()
      assert.match(await page.locator('.table-body').innerText(), /^Mundo reiniciado.*answers.*users/s)
      await page.getByRole('button', { name: 'Borrar la lista' }).click()
      await dialog.getByRole('button', { name: 'Borrar la lista' }).click()
      await page.getByText('Todavía no hay llamadas').waitFor()
    },
  },
  {
    title: 'requests: a stub that was proposed for a call is accepted',
    server: { miss: { mode: 'propose', onMiss() {} } },
    async run({ page, open, api, control }) {
      await api('GET /carts/items/MLA1')
      await api('POST /carts/orders', { price: 1 })
      await open('#/requests/coverage')
      const rows = page.getByRole('listitem').filter({ hasText: '/carts/' })
      await rows.nth(1).waitFor()
      assert.deepEqual(await rows.allInnerTexts(), [
        'POST /carts/orders\n201 × 1\npropuesto\nAceptar',
        'GET /carts/items/{item_id}\n200 × 1\npropuesto\nAceptar',
      ])
      await rows.nth(1).getByRole('button', { name: 'Aceptar' }).click()
      await rows.getByRole('button').nth(1).waitFor({ state: 'detached' })
      assert.equal(await rows.nth(1).innerText(), 'GET /carts/items/{item_id}\n200 × 1')
      const { results } = await control.call('GET /stubs')
      assert.deepEqual(
        results.map(({ id, proposed = false }) => [id, proposed]),
        [
          [2, true],
          [1, false],
        ],
      )
    },
  },
  {
    title: 'requests: new calls wait while older ones are read, and older pages are loaded',
    async run({ page, open, api }) {
      for (let n = 0; n < 130; n++) await api(`GET /currencies?n=${n}`)
      await open('#/requests')
      const table = page.locator('.table')
      await page.getByText('n=129').waitFor()
      for (const n of [79, 29, 0]) {
        await page.evaluate("document.querySelector('.table').scrollTop = 1e6")
        await page.getByText(`n=${n}`, { exact: false }).last().waitFor()
      }
      assert.ok((await table.getByRole('row').count()) <= 61)
      await api('GET /users/me')
      await page.getByRole('button', { name: '1 nuevo' }).click()
      await page.getByRole('table').getByText('/users/me').waitFor()
    },
  },
  {
    title: 'requests: a call is opened and copied, and hostile text stays text',
    async run({ page, open, api, url }) {
      await open('#/requests')
      await page.getByText('Todavía no hay llamadas').waitFor()
      await api('GET /users/me')
      await api('POST /answers', { question: 1, text: 'Hola' })
      await page.reload()
      const rows = page.getByRole('table').getByRole('link')
      await rows.nth(1).waitFor()
      assert.match(await rows.first().innerText(), /^POST \/answers/)
      await rows.first().click()
      await page.getByText('Valid attributes are').waitFor()
      await page.waitForURL(/#\/requests\/2$/)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.keyboard.press('c')
      await page.getByText('Copiado').first().waitFor()
      const copied: string = await page.evaluate('navigator.clipboard.readText()')
      assert.match(
        copied,
        new RegExp(`^curl ${url}/answers [^]*"Authorization: Bearer \\$MERCADITO_TOKEN"[^]*"question":1`),
      )
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/requests$/)
      await api(`POST /answers?a=${encodeURIComponent(HOSTILE)}`, { [HOSTILE]: HOSTILE + 'x'.repeat(5000) })
      await api('POST /answers', HOSTILE + 'x'.repeat(10_000))
      await open('#/requests/4')
      await page.getByText('El servidor guardó solo los primeros 8 KiB.').waitFor()
      await open('#/requests/3')
      await page.getByRole('button', { name: 'Mostrar todo' }).click()
      assert.equal(await page.locator('script').count(), 1)
      assert.match(await page.locator('.json').first().innerText(), /<script>alert\(1\)<\/script>\{\{x\}\}\\u202e/)
    },
  },
  {
    title: 'requests: a program is refused, the person sees why, and the fixed call works',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    async run({ page, open, api, control, info }) {
      const ask = (text: string) => control.call('POST /questions', { body: { item_id: 'MLA1400000001', text } })
      const { id: answered } = await ask('¿Hay stock?')
      await api('POST /answers', { question_id: answered, text: 'Sí' })
      const { id: unanswered } = await ask('¿De qué color?')
      const text = 'Sí, "hoy" <b>\u202e'
      await api('POST /answers', { question_id: answered, text })
      await open('#/live')
      await page.getByRole('link', { name: '¿Por qué? #2' }).click()
      await page.getByText('La pregunta todavía no tiene respuesta').first().waitFor()
      await page.waitForURL(/#\/requests\/2\/why$/)
      const steps = await page.locator('.ladder li').allTextContents()
      assert.deepEqual(steps.slice(-3), [
        'pasó: El comprador que preguntó no está bloqueado, o se pueden responder las preguntas de compradores bloqueados',
        'falló: La pregunta todavía no tiene respuesta',
        'no se llegó: El servidor puede ejecutar la llamada',
      ])
      assert.equal(await page.locator('.fix del').innerText(), String(answered))
      assert.equal(await page.locator('.fix ins').innerText(), String(unanswered))
      const terminal = await openTerminal(`export MERCADITO_TOKEN=${info.sellers[0]!.token}`)
      try {
        const fixed = await copyWith(page.locator('.fix').getByRole('button', { name: 'Copiar' }), page)
        assert.match(await terminal.run('curl', fixed), new RegExp(`^{"id":${unanswered},"answer":.*"ANSWERED"`))
      } finally {
        terminal.close()
      }
      await page.getByRole('table').getByRole('link').nth(2).waitFor()
      const { answer } = await control.call('GET /questions/{id}', { path: { id: unanswered } })
      assert.equal(answer!.text, text)
    },
  },
  {
    title: 'requests: `w` opens and closes why, with its assumption, also where an answer has no state',
    async run({ page, open, api }) {
      await api('GET /questions/1')
      await api('GET /users/me/bookmarks')
      const why = page.getByRole('button', { name: '¿Por qué?' })
      const explained = page.getByText('se rechazó con 404')
      await open('#/requests/2/why?q=GET')
      await page.getByText('no tiene estado').waitFor()
      assert.equal(await page.getByRole('heading', { name: 'Arreglo' }).count(), 0)
      await open('#/requests/1?q=GET')
      assert.equal(await why.getAttribute('aria-expanded'), 'false')
      assert.equal(await explained.count(), 0)
      await page.keyboard.press('w')
      await explained.waitFor()
      await page.waitForURL(/#\/requests\/1\/why\?q=GET$/)
      assert.equal(await why.getAttribute('aria-expanded'), 'true')
      assert.equal(await page.evaluate('document.activeElement.textContent'), '¿Por qué?')
      await page.keyboard.press('w')
      await explained.waitFor({ state: 'detached' })
      await page.goBack()
      await page.getByRole('link', { name: 'questions.not_found' }).click()
      await page.getByRole('heading', { name: 'questions.not_found' }).waitFor()
    },
  },
  {
    title: 'requests: a call is sent again, and then its fix',
    async run({ page, open, api }) {
      await api('GET /questions/search?limit=500')
      await open('#/requests/1/why')
      await page.getByRole('button', { name: 'Enviar otra vez' }).click()
      await page.waitForURL(/#\/requests\/2$/)
      await page.getByRole('heading', { name: '/questions/search 400' }).waitFor()
      await page.keyboard.press('w')
      await page.getByRole('button', { name: 'Enviar el arreglo' }).click()
      await page.waitForURL(/#\/requests\/3$/)
      await page.getByRole('heading', { name: '/questions/search 200' }).waitFor()
      assert.match(await page.getByRole('region', { name: '3' }).innerText(), /limit\s*100/)
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Descargar grabación' }).click()
      const bundle = await downloading
      assert.equal(bundle.suggestedFilename(), 'mercadito-1.jsonl')
      assert.equal((await checkRecording(await bundle.path())).calls, 3)
    },
  },
  {
    title: 'requests: filters of method, path, user and time, and equal refusals as one row',
    async run({ page, open, api, info }) {
      await api('GET /users/me')
      for (let n = 0; n < 7; n++) await api('POST /answers', { question_id: 13_000_000_001 + n, text: 'Sí' })
      await api('GET /questions/13000000001?attributes=id')
      const user = info.sellers[0]!.id
      const rows = page.getByRole('table').getByRole('link')
      await open(`#/requests?method=POST&path=/ans*&user=${user}&age=1h`)
      await page.getByText('7 llamadas', { exact: true }).waitFor()
      assert.equal(await rows.count(), 7)
      await page.getByRole('combobox', { name: 'Método' }).selectOption('GET')
      await page.getByText('Ninguna llamada coincide').waitFor()
      await page.getByRole('button', { name: 'Quitar filtros' }).click()
      await page.waitForURL(/#\/requests$/)
      await page.getByRole('radio', { name: '4xx (7)' }).waitFor()
      await rows.getByText('?attributes=id').waitFor()
      await page.getByLabel('Juntar rechazos iguales').check()
      await page.waitForURL(/\?group=1$/)
      await rows.getByText('7 ×').waitFor()
      assert.equal(await rows.count(), 3)
      await page.getByRole('cell').getByText('access_denied').waitFor()
    },
  },
  {
    title: 'requests: a call is edited and sent again, compared with the first, pinned, and keys open its neighbours',
    async run({ page, open, api, control }) {
      await api('GET /users/me?attributes=id')
      await api('POST /answers', { question_id: 1, text: 'Hola' })
      await open('#/requests/2')
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Dirección').fill('/answers?attributes=status')
      await dialog.getByLabel('Enviado').fill('{"question_id":2,"text":"Chau"}')
      await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
      await page.waitForURL(/#\/requests\/3$/)
      const sent = await control.call('GET /requests/{id}', { path: { id: 3 } })
      assert.deepEqual([sent.query, sent.body], [{ attributes: 'status' }, '{"question_id":2,"text":"Chau"}'])

      await page.getByRole('region', { name: '3', exact: true }).getByRole('heading', { name: 'Respondido' }).waitFor()
      await page.keyboard.press('m')
      await page.waitForURL(/#\/requests\?compare=3$/)
      await page.getByText('Elige la que comparas con').waitFor()
      await page.getByRole('table').getByRole('link').nth(1).click()
      const compared = page.getByRole('region', { name: 'En qué difieren #3 y #2' })
      await compared.getByRole('row', { name: 'body.text Chau Hola' }).waitFor()
      await compared.getByRole('row', { name: 'query.attributes status –' }).waitFor()
      assert.equal(await compared.getByRole('row', { name: 'method' }).count(), 0)
      await page.getByRole('button', { name: 'Elige la que comparas con' }).click()
      await compared.waitFor({ state: 'detached' })

      await page.keyboard.press('f')
      const pins = page.getByRole('list', { name: 'Llamadas fijadas' })
      await pins.getByText('#2 POST /answers').waitFor()
      const step = (id: number) => page.locator(`.split-steps a[href^="#/requests/${id}"]`).waitFor()
      await step(1)
      await page.keyboard.press('n')
      await page.getByRole('region', { name: '1', exact: true }).waitFor()
      await pins.getByRole('link').click()
      await page.getByRole('region', { name: '2', exact: true }).waitFor()
      await step(3)
      await page.keyboard.press('p')
      await page.getByRole('region', { name: '3', exact: true }).waitFor()
      await control.call('POST /reset')
      await pins.waitFor({ state: 'detached' })
    },
  },
  {
    title: 'requests: who replaced the state of the world is said between calls, and in the empty list',
    async run({ page, open, api, url }) {
      const reset = (keep_requests: boolean) =>
        fetch(`${url}/_sandbox/reset`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'mercadito reset' },
          body: JSON.stringify({ keep_requests }),
        })
      await api('GET /users/me')
      await open('#/requests/1')
      await reset(true)
      await api('GET /users/me')
      await page.getByRole('row', { name: /^Mundo reiniciado · mercadito reset · \d\d:\d\d$/ }).waitFor()
      await page.getByRole('table').getByRole('link').nth(1).waitFor()
      await page.keyboard.press('p')
      await page.getByRole('region', { name: '2', exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await reset(false)
      await page.getByText('Todavía no hay llamadas').waitFor()
      await page.getByText(/^Mundo reiniciado · mercadito reset · \d\d:\d\d · Ver estados anteriores$/).waitFor()
    },
  },
  {
    title: 'requests: keys move the focus and open, "back" closes',
    async run({ page, open, api }) {
      for (let n = 0; n < 3; n++) await api('GET /users/me')
      await open('#/')
      await page.keyboard.press('g')
      await page.keyboard.press('r')
      await page.getByRole('table').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.locator('[data-index="1"]:focus').waitFor()
      await page.keyboard.press('k')
      await page.locator('[data-index="0"]:focus').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: '3' }).waitFor()
      await page.goBack()
      await page.getByRole('region', { name: '3' }).waitFor({ state: 'detached' })
    },
  },
]
