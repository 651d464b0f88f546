import assert from 'node:assert/strict'
import { join } from 'node:path'
import { FIRST_QUESTION, insertQuestions, writeMany } from '../../bench/many_rows.ts'
import { type Journey, NOW, scrollToRow } from './stage.ts'

const COUNT = 100_000
const DAY = 24 * 3_600_000
const SPAN = 180 * DAY
const LAST = FIRST_QUESTION + COUNT - 1
const PAGE = 50
/** Rows of a list that the console stores, and that are in the document. */
const MAX_ENTRIES = 2000
const MAX_ROWS = 60

export const journeys: Journey[] = [
  {
    title: 'many: a hundred thousand questions are paged to the end of what is stored, and filters lead to the rest',
    server: { mode: 'kept', scenario: 'quiet' },
    async run({ page, open, info, restart }) {
      const [seller, buyer] = [info.sellers[0]!.id, info.buyers[0]!.id]
      await restart(async (data) =>
        writeMany(join(data, 'world-1.sqlite'), ['question'], (draft) =>
          insertQuestions(draft, { count: COUNT, seller, buyer, now: NOW, span: SPAN }),
        ),
      )
      await open('#/questions')
      const table = page.getByRole('table')
      /** The row at a place of the list, with the question that was inserted as the nth from the end. */
      const row = (place: number, n = place) => page.locator(`[data-index="${place}"][href^="#/questions/${LAST - n}"]`)
      await row(0).waitFor()
      assert.equal(await table.getAttribute('aria-rowcount'), String(COUNT + 1))
      for (let n = PAGE; n <= MAX_ENTRIES; n += PAGE) {
        await scrollToRow(page, n - 1, row(n - 1))
        assert.ok((await table.getByRole('row').count()) <= MAX_ROWS + 1)
      }
      await page.getByText('Las primeras 2.000 filas de 100.000: los filtros llevan al resto.').waitFor()

      await page.getByRole('combobox', { name: 'Antigüedad' }).selectOption('7d')
      await row(0, Math.floor((7 * DAY * COUNT) / SPAN)).waitFor()
      await page.getByRole('combobox', { name: 'Antigüedad' }).selectOption('')
      await page.getByRole('searchbox').fill('(12345)')
      await row(0, COUNT - 1 - 12_345).waitFor()
      assert.equal(await table.getAttribute('aria-rowcount'), '2')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Buscar o ir a…' }).fill(`q${FIRST_QUESTION}`)
      await page.keyboard.press('Enter')
      await page.locator('.bubble', { hasText: 'color azul? (0)' }).waitFor()
    },
  },
]
