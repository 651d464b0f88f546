import { Split } from '../../parts/split.tsx'
import { numberIn } from '../../world/address.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { RequestDetail } from './detail.tsx'
import { RequestList } from './list.tsx'

export default function Requests({ path: [id, view], query }: ScreenProps) {
  const open = id === undefined ? undefined : numberIn(id)
  return (
    <Split
      heading={words().requests.title}
      list={<RequestList query={query} open={open} />}
      title={String(open)}
      detail={open === undefined ? undefined : <RequestDetail key={open} id={open} isExplained={view === 'why'} />}
    />
  )
}
