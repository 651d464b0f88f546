import assert from 'node:assert/strict'
import type { Journey } from './stage.ts'

const NAME = 'contacts.current_bucket'

export const journeys: Journey[] = [
  {
    title:
      'assumptions: one is found, switched and copied; then changed ones, those of a topic, and those that calls rest on',
    async run({ page, open, api, control }) {
      await open('#/assumptions')
      await page.keyboard.press('/')
      await page.keyboard.type('interval progress')
      const rows = page.getByRole('table').getByRole('link')
      await rows.nth(1).waitFor({ state: 'detached' })
      await page.waitForURL(/#\/assumptions\?q=interval\+progress$/)
      await rows.click()
      const detail = page.getByRole('region', { name: NAME })
      assert.equal(await detail.getByLabel('include').isChecked(), true)
      await detail.getByLabel('exclude').check()
      await detail.getByText(`--assume ${NAME}=exclude`).waitFor()
      const { value } = await control.call('GET /assumptions/{name}', { path: { name: NAME } })
      assert.equal(value, 'exclude')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await detail.getByRole('heading', { name: NAME }).click()
      await page.keyboard.press('c')
      await page.getByText('Copiado').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), `--assume ${NAME}=exclude`)
      await page.keyboard.press('Escape')
      await page.getByRole('radio', { name: 'Fijos' }).check()
      await page.getByText('Nada coincide').waitFor()
      await page.getByRole('button', { name: 'Quitar filtros' }).click()
      await rows.nth(9).waitFor()

      await api('GET /questions/search?limit=0')
      await open('#/assumptions')
      await page.getByRole('radio', { name: 'Cambiados 1' }).check()
      await page.waitForURL(/kind=changed/)
      assert.deepEqual(await rows.allInnerTexts(), [NAME])
      await page.getByRole('radio', { name: 'Usados 1' }).check()
      assert.deepEqual(await rows.allInnerTexts(), ['calls.limit_zero'])
      await rows.click()
      await page.getByRole('region', { name: 'calls.limit_zero' }).getByText('GET /questions/search').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox', { name: 'Tema' }).selectOption('auth')
      await page.getByRole('radio', { name: 'Todos' }).check()
      await page.waitForURL(/#\/assumptions\?domain=auth$/)
      assert.ok((await rows.allInnerTexts()).every((name) => name.startsWith('auth.')))
    },
  },
]
