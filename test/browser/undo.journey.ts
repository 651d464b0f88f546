import assert from 'node:assert/strict'
import { axe } from './axe.ts'
import type { Journey, Stage } from './stage.ts'

const ASKED = '¿Trae el manual de fábrica?'

/** Asks as a buyer in Live, and waits until the console has said so. Returns the number of the question. */
async function ask({ page, open, control }: Stage): Promise<number> {
  if (!page.url().endsWith('#/live')) await open('#/live')
  await page.keyboard.press('a')
  await page.keyboard.type(ASKED)
  await page.keyboard.press('Enter')
  await page.getByText('Hecho: Preguntar', { exact: true }).waitFor()
  const [question] = (await control.call('GET /questions', { query: { limit: 1 } })).results
  assert.equal(question!.text, ASKED)
  await page.getByRole('heading', { name: 'En vivo' }).click()
  return question!.id
}

const questions = async ({ control }: Stage) =>
  (await control.call('GET /questions', { query: { q: ASKED } })).paging.total

export const journeys: Journey[] = [
  {
    title: 'undo: a message and a key take changes back, and ask first if others did something since',
    async run(stage) {
      const { page, api, control } = stage
      const id = await ask(stage)
      await axe(page, 'message with a button')
      await page.getByRole('status').getByRole('button', { name: 'Deshacer' }).click()
      await page.getByText('Deshecho: Preguntar').waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.getByText('Hecho: Preguntar', { exact: true }).count(), 0)
      assert.equal(await questions(stage), 0)
      await assert.rejects(control.call('GET /questions/{id}', { path: { id } }), { status: 404 })
      await page.locator('.bubble', { hasText: ASKED }).waitFor({ state: 'detached' })
      await page.keyboard.press('z')
      await page.getByText('No hay nada que deshacer').waitFor()

      // A program has answered since.
      const question_id = await ask(stage)
      assert.equal((await api('POST /answers', { question_id, text: 'Sí' })).status, 200)
      await api('GET /users/me')
      await page.keyboard.press('z')
      const dialog = page.getByRole('dialog', { name: '¿Volver a antes de «Preguntar»?' })
      await dialog.getByText('Deshace 1 llamada de control, 1 escritura de tu programa y 2 cambios.').waitFor()
      assert.deepEqual(
        (await dialog.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')).sort(),
        ['POST /answers de tu programa', 'POST /questions de la consola, un comando o una prueba'],
      )
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      assert.equal(await questions(stage), 1)
      await page.keyboard.press('z')
      await dialog.getByRole('button', { name: 'Deshacer' }).click()
      await page.getByText('Deshecho: Preguntar · Deshace 1 llamada de control, 1 escritura').waitFor()
      assert.equal(await questions(stage), 0)
      await assert.rejects(control.call('GET /questions/{id}', { path: { id: question_id } }), { status: 404 })

      // Another page has made the change; the help and the palette have the key, too.
      await ask(stage)
      await page.reload()
      await page.getByRole('heading', { name: 'En vivo' }).click()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Teclas' }).getByText('Deshacer el último cambio').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('deshacer')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: '¿Volver a antes de «Preguntar»?' }).waitFor()
      assert.equal(await questions(stage), 1)
      await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
      await page.getByText('Deshecho: Preguntar').waitFor()
      assert.equal(await questions(stage), 0)
      assert.equal((await control.call('GET /snapshots')).paging.total, 0)
    },
  },
  {
    title: 'undo: it takes back the change of the console, not only the later write of a program',
    server: { autoSnapshots: 10 },
    async run(stage) {
      const { page, api, control } = stage
      const question_id = await ask(stage)
      assert.equal((await api('POST /answers', { question_id, text: 'Sí' })).status, 200)
      const { results } = await control.call('GET /snapshots')
      assert.deepEqual(
        results.map(({ automatic, label }) => [automatic, label]),
        [
          ['program', 'POST /answers'],
          ['control', 'Preguntar'],
        ],
      )
      await page.keyboard.press('z')
      const dialog = page.getByRole('dialog', { name: '¿Volver a antes de «Preguntar»?' })
      await dialog.getByText('Deshace 1 llamada de control, 1 escritura de tu programa y 2 cambios.').waitFor()
      await dialog.getByRole('button', { name: 'Deshacer' }).click()
      await page.getByText('Deshecho: Preguntar').waitFor()
      assert.equal(await questions(stage), 0)
      assert.equal((await api('POST /users/test_user', { site_id: 'MLA' })).status, 201)
      await page.keyboard.press('z')
      await page.getByText('No hay nada que deshacer').waitFor()
    },
  },
]
