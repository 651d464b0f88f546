import { controlCurl } from '../snippets/curl.ts'
import { words } from '../words/index.ts'
import { baseUrl, hasToken } from '../world/client.ts'
import { Code } from './code.tsx'

/** Without a listing buyers can do nothing: the call that creates one. */
export function NoListings({ seller }: { seller: number | undefined }) {
  const input = { body: { seller_id: seller, title: 'Mouse' } }
  return (
    <>
      <p class="muted">{words().noListings}</p>
      <Code text={controlCurl({ call: 'POST /items', input }, baseUrl, hasToken())} label="curl" />
    </>
  )
}
