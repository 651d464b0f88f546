import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { axe } from './axe.ts'
import type { Journey } from './stage.ts'

const TEXT = '¿Llega antes del lunes?'

/** What is asked, in each language; the one of the page comes last. */
const QUESTIONS = [
  ['en', 'Ask as a buyer', 'What you typed will be lost.', 'Keep editing', 'Discard'],
  ['pt', 'Perguntar como comprador', 'O que você digitou será perdido.', 'Continuar editando', 'Descartar'],
  ['es', 'Preguntar como comprador', 'Se perderá lo que escribiste.', 'Seguir editando', 'Descartar'],
] as const

/** Presses the button of the mouse at one place, and releases it at another. */
async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}
interface Place {
  x: number
  y: number
}
const OUTSIDE = { x: 5, y: 300 }

async function middleOf(element: Locator): Promise<Place> {
  const { x, y, width, height } = (await element.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

export const journeys: Journey[] = [
  {
    title: 'dialogs: a selection that ends outside closes nothing, and only typed text is dropped after a question',
    async run({ page, open }) {
      await open('#/questions')
      await page.getByRole('table').waitFor()
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Preguntar como comprador' })
      const text = dialog.locator('textarea')
      await text.fill(TEXT)
      await drag(page, await middleOf(text), OUTSIDE)
      await drag(page, OUTSIDE, await middleOf(text))
      assert.equal(await text.inputValue(), TEXT)
      const lost = dialog.getByText('Se perderá lo que escribiste.')
      assert.equal(await lost.count(), 0)

      // Two Escapes in a row: browsers close a dialog then.
      await text.focus()
      await page.keyboard.press('Escape')
      await lost.waitFor()
      await axe(page, 'dialog')
      for (const [language, ...texts] of QUESTIONS) {
        const event = `new StorageEvent('storage', { key: 'mercadito.language', newValue: '${language}' })`
        await page.evaluate(`dispatchEvent(${event})`)
        for (const words of texts) await page.getByRole('dialog').getByText(words, { exact: true }).waitFor()
      }
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Seguir editando' }).click()
      await lost.waitFor({ state: 'detached' })
      assert.equal(await text.inputValue(), TEXT)
      assert.equal(await page.evaluate('document.activeElement.name'), 'text')

      for (const leave of [
        () => page.mouse.click(OUTSIDE.x, OUTSIDE.y),
        () => dialog.getByRole('button', { name: 'Cerrar' }).click(),
      ]) {
        await leave()
        await lost.waitFor()
        await text.press('End')
        await text.pressSequentially('!')
        await lost.waitFor({ state: 'detached' })
      }
      assert.equal(await text.inputValue(), `${TEXT}!!`)
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Descartar' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('a')
      assert.equal(await text.inputValue(), '')

      // Without text it closes at once; Cancel drops it, and what is no form is not asked for.
      await text.fill('a')
      await text.fill(' ')
      await page.mouse.click(OUTSIDE.x, OUTSIDE.y)
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('a')
      await text.fill(TEXT)
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.keyboard.type('reloj')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  },
]
