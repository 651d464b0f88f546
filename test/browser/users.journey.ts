import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

export const journeys: Journey[] = [
  {
    title:
      'users: filters and links lead to what belongs to a user; one is created, a program acts as it, and its tokens end',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    async run({ page, open, control, info }) {
      const seller = info.sellers[0]!
      const { paging } = await control.call('GET /items', { query: { seller_id: seller.id, limit: 0 } })
      await open('#/users')
      await page.getByRole('radio', { name: 'Vendedores' }).check()
      await page.waitForURL(/kind=seller$/)
      await page.keyboard.press('/')
      await page.keyboard.type(seller.nickname)
      const row = page.getByRole('row').filter({ hasText: String(seller.id) })
      await page.getByText('1 usuario', { exact: true }).waitFor()
      await row.getByRole('cell').getByText(String(paging.total), { exact: true }).waitFor()
      await row.getByRole('link').click()
      await page.getByRole('link', { name: 'Tokens' }).click()
      await page.waitForURL(/#\/settings\/tokens\?user_id=\d+$/)
      await page.getByText('no vence').first().waitFor()

      await open('#/users?site=MLA')
      await page.getByRole('table').getByText('VENDEDOR_MLA').waitFor()
      await page.keyboard.press('+')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Apodo').fill('VENDEDOR_MLA')
      await dialog.getByLabel('Reputación').selectOption('3_yellow')
      await dialog.getByRole('button', { name: 'Nuevo usuario' }).click()
      await dialog.locator('[aria-invalid="true"]').waitFor()
      await dialog.getByLabel('Apodo').fill('PRUEBA_9')
      await dialog.getByRole('button', { name: 'Nuevo usuario' }).click()
      await page.waitForURL(/#\/users\/\d+\?site=MLA$/)
      const id = Number(/users\/(\d+)/.exec(page.url())![1])
      const read = () => control.call('GET /users/{id}', { path: { id } })
      const { nickname, seller_reputation, token } = await read()
      assert.deepEqual([nickname, seller_reputation.level_id], ['PRUEBA_9', '3_yellow'])
      const detail = page.getByRole('region', { name: String(id), exact: true })
      await detail.getByRole('button', { name: 'Copiar' }).click()
      const copied: string = await page.evaluate('navigator.clipboard.readText()')
      assert.match(copied, new RegExp(`^export MERCADITO_URL=http.*\nexport MERCADITO_TOKEN=${token}$`))
      assert.equal(await detail.getByText(token!).count(), 0)

      await page.keyboard.press('e')
      await dialog.getByLabel('Contraseña nueva').fill('otra')
      await dialog.getByLabel('Operador:').check()
      await dialog.getByLabel('Cuenta inactiva').check()
      await dialog.getByRole('button', { name: 'Guardar' }).click()
      await detail.getByText('operador', { exact: true }).waitFor()
      await detail.getByText('cuenta inactiva').waitFor()
      assert.equal((await control.call('GET /tokens', { query: { user_id: id } })).results.length, 0)
      await detail.getByRole('button', { name: 'Crear un token' }).click()
      await detail.getByRole('button', { name: 'Mostrar el token' }).click()
      await detail.getByText((await read()).token!).waitFor()
    },
  },
]
