import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { axe } from './axe.ts'
import type { Journey } from './stage.ts'

const TEXT = '¿Llega antes del lunes?'

/** Opens the form of a question; its name differs by language. */
async function openForm(page: Page, name: string): Promise<{ dialog: Locator; text: Locator }> {
  await page.getByRole('table').waitFor()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name })
  const text = dialog.locator('textarea')
  await text.waitFor()
  return { dialog, text }
}

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
    title: 'dialogs: a selection that ends outside closes nothing, and typed text is dropped only after a question',
    async run({ page, open }) {
      await open('#/questions')
      const { dialog, text } = await openForm(page, 'Preguntar como comprador')
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
    },
  },
  {
    title: 'dialogs: without text they close at once; Cancel drops it, and what is no form is not asked for',
    async run({ page, open }) {
      await open('#/questions')
      const { dialog, text } = await openForm(page, 'Preguntar como comprador')
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
  {
    title: 'dialogs: they ask in three languages',
    async run({ openBrowser, url }) {
      for (const [locale, name, lost, keep, discard] of [
        ['en-US', 'Ask as a buyer', 'What you typed will be lost.', 'Keep editing', 'Discard'],
        ['pt-BR', 'Perguntar como comprador', 'O que você digitou será perdido.', 'Continuar editando', 'Descartar'],
      ] as const) {
        const page = await openBrowser({ locale })
        await page.goto(`${url}/_sandbox/console/#/questions`)
        const { dialog, text } = await openForm(page, name)
        await text.fill(TEXT)
        await page.keyboard.press('Escape')
        await dialog.getByText(lost).waitFor()
        await dialog.getByRole('button', { name: keep }).click()
        await page.keyboard.press('Escape')
        await dialog.getByRole('button', { name: discard }).click()
        await dialog.waitFor({ state: 'detached' })
      }
    },
  },
]
