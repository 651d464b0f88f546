import assert from 'node:assert/strict'
import { inspect } from './inspect.ts'
import type { Journey } from './stage.ts'

const ADMIN_TOKEN = 'llave'

export const journeys: Journey[] = [
  {
    title: 'overview: a browser that opens the base address finds it',
    async run(stage) {
      const { page, url } = stage
      await page.goto(url)
      await page.getByRole('heading', { name: 'Resumen' }).waitFor()
      assert.equal(page.url(), `${url}/_sandbox/console/`)
      await inspect(stage, '#/')
    },
  },
  {
    title: 'overview: the admin token is asked for, and kept in the tab only',
    server: { adminToken: ADMIN_TOKEN },
    async run({ page, url }) {
      await page.goto(`${url}/_sandbox/console/`)
      const field = page.getByLabel('Token de administración')
      await field.fill('wrong')
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByText('El servidor no acepta este token.').waitFor()
      await field.fill(ADMIN_TOKEN)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByText('En vivo').waitFor()
      await page.reload()
      await page.getByText('En vivo').waitFor()
      assert.deepEqual(await page.context().cookies(), [])
      assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('llave')), false)
    },
  },
  {
    title: 'overview: the server stops and starts again',
    async run({ page, open, restart }) {
      await open('#/')
      await page.getByText('En vivo').waitFor()
      await restart(async () => {
        await page.getByText('Sin conexión').waitFor()
      })
      await page.getByText('En vivo').waitFor()
      await page.getByText('Sin conexión').waitFor({ state: 'detached' })
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
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Teclas' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  },
]
