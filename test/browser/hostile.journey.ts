import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import type { Journey } from './stage.ts'

const ATTACK = `fetch('/_sandbox/reset', { method: 'POST', body: '{}' }); document.title = 'ran'`
const FORM = '<form method="post" action="/_sandbox/reset"><button>Go on</button></form>'
/** Answers of stubs that try to make a control call, by their content types. */
const HOSTILE: Record<string, unknown> = {
  'text/html': `<title>still</title><script>${ATTACK}</script><img src="x" onerror="${ATTACK}">${FORM}`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><script>${ATTACK}</script></svg>`,
  'application/xhtml+xml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${FORM}<script>${ATTACK}</script></body></html>`,
  'Text/HTML; charset=utf-8': { a: `<script>${ATTACK}</script>${FORM}` },
}

/** A person who opens what a stub answers: its errors are expected. */
async function inOtherBrowser(context: BrowserContext, run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const other = await context.browser()!.newContext()
  other.setDefaultTimeout(15_000)
  try {
    await run(other)
  } finally {
    await other.close()
  }
}

export const journeys: Journey[] = [
  {
    title: 'hostile: a page that a stub answers cannot make a control call',
    async run({ page, url, control }) {
      const addresses: string[] = []
      for (const [n, [type, body]] of Object.entries(HOSTILE).entries()) {
        const answer = { body, headers: { 'content-type': type } } as never
        await control.call('POST /stubs', { body: { match: { path: `/hostile/${n}` }, answer } })
        addresses.push(`${url}/hostile/${n}`)
      }
      await inOtherBrowser(page.context(), async (context) => {
        for (const address of addresses) {
          const hostile = await context.newPage()
          const calls: string[] = []
          hostile.on('request', (call) => calls.push(call.url()))
          await hostile.goto(address, { waitUntil: 'networkidle' })
          for (const button of await hostile.getByRole('button').all()) await button.click()
          await hostile.waitForLoadState('networkidle')
          assert.notEqual(await hostile.title(), 'ran', address)
          assert.deepEqual(
            calls.filter((one) => one.includes('/_sandbox')),
            [],
            address,
          )
        }
      })
      const { results } = await control.call('GET /control-calls', {})
      assert.deepEqual(
        results.filter(({ path }) => path === '/reset'),
        [],
      )
    },
  },
  {
    title: 'hostile: the page that picks a test user sends its form',
    async run({ page, url, info, control, start }) {
      const { id } = info.application
      const redirect_uri = `${await start({})}/sites`
      await control.call('PATCH /applications/{id}', { path: { id }, body: { redirect_uri } })
      await inOtherBrowser(page.context(), async (context) => {
        const picker = await context.newPage()
        const query = new URLSearchParams({ response_type: 'code', client_id: String(id), redirect_uri })
        await picker.goto(`${url}/authorization?${query}`)
        await picker.getByRole('button').first().click()
        await picker.waitForURL(`${redirect_uri}?*`)
        assert.match(new URL(picker.url()).searchParams.get('code')!, /^TG-/)
      })
    },
  },
]
