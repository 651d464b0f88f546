import { useState } from 'preact/hooks'
import type { RequestMade } from '../../../lib/types.ts'
import { FaultDialog } from './fault_dialog.tsx'
import { VerifyDialog } from './verify_dialog.tsx'
import { words } from './words.ts'

/** What can be done with a recorded call. */
export function Actions({ request }: { request: RequestMade }) {
  const [open, setOpen] = useState<'fault' | 'verify'>()
  const w = words()
  const close = () => setOpen(undefined)
  return (
    <div class="row">
      <a class="button small" href={`#/live?pick=r${request.id}`}>
        {w.seeChain}
      </a>
      <button type="button" class="small" onClick={() => setOpen('verify')}>
        {w.verify}
      </button>
      <button type="button" class="small" onClick={() => setOpen('fault')}>
        {w.fault}
      </button>
      {open === 'fault' && <FaultDialog request={request} onClose={close} />}
      {open === 'verify' && <VerifyDialog request={request} onClose={close} />}
    </div>
  )
}
