import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

export const journeys: Journey[] = [
  {
    title:
      'faults: a rule is created, hit, switched off, changed and deleted; a link has a new one, which is copied as curl',
    async run({ page, open, url, api, control }) {
      await open('#/faults')
      await page.getByText('No hay reglas').waitFor()
      await page.getByRole('link', { name: '3 veces 503' }).click()
      await page.getByLabel('Ruta').fill('users')
      await page.getByRole('button', { name: 'Nueva regla' }).click()
      await page.getByText('must be a path').waitFor()
      await page.getByLabel('Ruta').fill('/users/*')
      await page.getByLabel('Método').selectOption('GET')
      await page.getByRole('button', { name: 'Nueva regla' }).click()
      await page.waitForURL(/#\/faults\/1\b/)
      const detail = page.getByRole('region', { name: 'Regla 1' })
      await detail.getByText('activa').waitFor()
      assert.equal((await api('GET /users/me')).status, 503)
      await detail.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor()
      await page.keyboard.press('o')
      await detail.getByText('apagada').waitFor()
      assert.equal((await api('GET /users/me')).status, 200)
      await page.keyboard.press('e')
      await page.getByRole('radio', { name: 'Límite', exact: true }).check()
      await page.getByLabel('Llamadas que pasan').fill('5')
      await page.getByLabel('Reloj').selectOption('tiempo del mundo')
      await page.getByRole('button', { name: 'Guardar' }).click()
      await detail.getByText('5 cada 60 s, tiempo del mundo').waitFor()
      assert.deepEqual((await control.call('GET /faults/{id}', { path: { id: 1 } })).action, {
        rate_limit: { limit: 5, window: 60, clock: 'world' },
      })
      await page.keyboard.press('e')
      await page.getByRole('radio', { name: 'Límites publicados' }).check()
      await page.getByText('429 local_rate_limited').waitFor()
      await page.getByRole('button', { name: 'Guardar' }).click()
      await detail.getByRole('definition').filter({ hasText: 'Límites publicados' }).waitFor()
      await detail.getByRole('button', { name: 'Borrar' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Borrar' }).click()
      await page.getByText('No hay reglas').waitFor()
      await page.waitForURL(/#\/faults$/)

      await open('#/faults/new?method=POST&path=%2Fanswers&min=100&max=200&percent=50')
      assert.equal(await page.getByLabel('Ruta').inputValue(), '/answers')
      await page.getByRole('button', { name: 'Nueva regla' }).click()
      await page.waitForURL(/#\/faults\/2\b/)
      const { match, action, probability } = await control.call('GET /faults/{id}', { path: { id: 2 } })
      assert.deepEqual(
        [match, action, probability],
        [{ method: 'POST', path: '/answers' }, { delay: { min: 100, max: 200 } }, 0.5],
      )
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'curl' }).click()
      await page.getByText('Copiado').waitFor()
      const copied: string = await page.evaluate('navigator.clipboard.readText()')
      assert.match(copied, new RegExp(`^curl ${url}/_sandbox/faults [^]*"delay":\\{"min":100,"max":200\\}`))
      await open('#/faults/99')
      await page.getByText('La regla 99 no existe').waitFor()
    },
  },
  {
    title: 'faults: the calls that a rule hit are listed, and a finished rule works once more',
    async run({ page, open, api, control }) {
      await control.call('POST /faults', { body: { match: { path: '/users/*' }, action: { status: 503 }, times: 2 } })
      await open('#/faults/1')
      for (const status of [503, 503, 200]) assert.equal((await api('GET /users/me')).status, status)
      const detail = page.getByRole('region', { name: 'Regla 1' })
      await detail.getByText('agotada').waitFor()
      const hits = detail.getByRole('list', { name: 'Las últimas afectadas' }).getByRole('listitem')
      await hits.nth(1).waitFor()
      assert.equal(await hits.count(), 2)
      assert.match(await hits.first().innerText(), /^GET \/users\/me\s+503 · /)
      assert.equal(await hits.first().getByRole('link').getAttribute('href'), '#/requests/2')
      await page.keyboard.press('a')
      await page.waitForURL(/#\/faults\/2\b/)
      assert.equal((await api('GET /users/me')).status, 503)
      await page.getByRole('region', { name: 'Regla 2' }).getByRole('listitem').first().waitFor()
      await page.getByRole('link', { name: '10 llamadas por minuto' }).click()
      await page.waitForURL(/#\/faults\/new\?limit=10&window=60/)
    },
  },
]
