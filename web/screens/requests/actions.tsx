import { useState } from 'preact/hooks'
import type { RequestMade } from '../../../lib/types.ts'
import { formatAddress } from '../../world/address.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Resend } from './resend.tsx'
import { VerifyDialog } from './verify_dialog.tsx'

/** What can be done with a recorded call. */
export function Actions({ request }: { request: RequestMade }) {
  const [isVerifying, setVerifying] = useState(false)
  const { id, method, path } = request
  const w = words().requests
  return (
    <div class="row">
      <a class="button small" href={formatAddress('live', [], { pick: `r${id}` })}>
        {w.seeChain}
      </a>
      <Resend id={id} />
      <button type="button" class="small" aria-haspopup="dialog" onClick={() => setVerifying(true)}>
        {w.verify}
      </button>
      {canChange.value && (
        <a class="button small" href={formatAddress('faults', ['new'], { method, path, status: '503', times: '1' })}>
          {w.fault}
        </a>
      )}
      {isVerifying && <VerifyDialog request={request} onClose={() => setVerifying(false)} />}
    </div>
  )
}
