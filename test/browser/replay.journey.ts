import assert from 'node:assert/strict'
import { checkRecording } from '../../replay/check.ts'
import { replay } from '../../replay/index.ts'
import { openOwnTarget } from '../../replay/own_target.ts'
import { at } from '../../tools/root.ts'
import { type Journey, waitUntilLoaded } from './stage.ts'

const BUNDLE = at('test/fixtures/questions-0.1.0.bundle')

export const journeys: Journey[] = [
  {
    title: 'replay: a bundle is read in the console, and nothing can be changed',
    async run({ page }) {
      const { deliveries, isDeterministic } = await checkRecording(BUNDLE)
      const target = await openOwnTarget(deliveries, isDeterministic)
      try {
        const { calls } = await replay(BUNDLE, () => ({ ...target, close: async () => {} }))
        const [base] = target.publish().values()
        await page.goto(`${base}/_sandbox/console/#/requests`)
        await waitUntilLoaded(page)
        await page.getByText(`${calls} llamadas`).waitFor()
        await page.getByText('Solo lectura').first().waitFor()
        await page.getByRole('table').getByRole('link').first().click()
        await page.getByRole('heading', { name: 'Respondido' }).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Enviar otra vez' }).count(), 0)
        await page.goto(`${base}/_sandbox/console/#/live`)
        await waitUntilLoaded(page)
        await page.locator('main a[href*="pick=r"]').first().waitFor()
      } finally {
        await target.close()
      }
    },
  },
]
