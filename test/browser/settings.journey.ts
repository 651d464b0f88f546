import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

const HOSTILE = `<img src=x onerror=alert(1)>{{x}}\u202e😀"'&`

export const journeys: Journey[] = [
  {
    title: 'settings: applications and tokens are created, secrets shown on demand; language, theme and keys are kept',
    async run({ page, open, openTab, url, control, info }) {
      await open('#/settings/applications')
      const secret = page.getByText(info.application.secret)
      assert.equal(await secret.count(), 0)
      await page.getByRole('button', { name: /^Mostrar: client_secret/ }).click()
      await secret.waitFor()
      await page.keyboard.press('+')
      await page.getByLabel('Nombre').fill(HOSTILE)
      await page.getByLabel('redirect_uri').fill('no URL')
      await page.getByRole('button', { name: 'Crear' }).click()
      await page.getByText('must be an absolute').waitFor()
      await page.getByLabel('redirect_uri').fill('http://127.0.0.1:3000/callback')
      await page.getByRole('button', { name: 'Crear' }).click()
      await page.getByRole('listitem').filter({ hasText: '<img src=x' }).waitFor()
      const applications = page.getByRole('list', { name: 'Aplicaciones' })
      await applications.getByRole('button', { name: 'Cambiar' }).last().click()
      await page.getByLabel('Exigir PKCE').check()
      await page.getByLabel('Bloquear:').check()
      await page.getByRole('dialog').getByRole('button', { name: 'Cambiar' }).click()
      await applications.getByText('bloqueada').waitFor()
      const user_id = info.sellers[0]!.id
      await open(`#/settings/tokens?user_id=${user_id}`)
      await page.getByText('no vence').waitFor()
      await page.keyboard.press('+')
      await page.getByLabel('con refresh token').check()
      await page.getByLabel('Vencimiento').selectOption('21600')
      await page.getByRole('button', { name: 'Crear' }).click()
      const row = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem').filter({ hasText: 'hasta' })
      await row.getByText('válido').waitFor()
      const tokens = async () => (await control.call('GET /tokens', { query: { user_id } })).results
      const [own, made] = await tokens()
      assert.deepEqual([made!.valid, made!.expires_at], [true, '2026-03-02T18:00:00.000Z'])
      assert.equal(await row.getByText(made!.token).count(), 0)
      await row.getByRole('button', { name: 'Mostrar' }).click()
      await row.getByText(made!.token).waitFor()
      await row.getByRole('button', { name: 'Vencer' }).click()
      await row.getByText('vencido').waitFor()
      await row.getByRole('button', { name: 'Revocar' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revocar' }).click()
      await row.waitFor({ state: 'detached' })
      assert.deepEqual(await tokens(), [own])

      await open('#/settings')
      const other = await openTab('#/settings')
      await page.getByRole('radio', { name: 'English' }).check()
      await other.getByRole('heading', { name: 'Settings' }).waitFor()
      // Back in the language of the browser.
      await page.getByRole('radio', { name: 'Español' }).check()
      await other.getByRole('heading', { name: 'Ajustes' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Ajustes' }).waitFor()
      await other.close()
      await page.getByRole('radio', { name: 'Português' }).check()
      await page.getByRole('heading', { name: 'Configurações' }).waitFor()
      await page.getByRole('radio', { name: 'Escuro' }).check()
      await page.getByRole('radio', { name: 'Desligadas' }).check()
      await page.reload()
      await page.getByRole('heading', { name: 'Configurações' }).click()
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
      await page.keyboard.press('?')
      assert.equal(await page.getByRole('dialog').count(), 0)
      await page.getByRole('radio', { name: 'Ligadas', exact: true }).check()
      await page.getByRole('heading', { name: 'Configurações' }).click()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Teclas' }).waitFor()
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const dark = await background()
      const { id, redirect_uri } = info.application
      const query = new URLSearchParams({ response_type: 'code', client_id: String(id), redirect_uri })
      await page.goto(`${url}/authorization?${query}`)
      await page.getByRole('heading', { name: 'mercadito pede acesso' }).waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), 'pt')
      assert.equal(await background(), dark)
    },
  },
]
