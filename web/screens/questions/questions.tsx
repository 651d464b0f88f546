import { useState } from 'preact/hooks'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { numberIn } from '../../world/address.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { Ask } from './ask.tsx'
import { QuestionDetail } from './detail.tsx'
import { QuestionList } from './list.tsx'

export default function Questions({ path: [id], query }: ScreenProps) {
  const [isAsking, setAsking] = useState(false)
  const open = id === undefined ? undefined : numberIn(id)
  const w = words().questions
  const ask = () => setAsking(true)
  useKeys(canChange.value ? [{ keys: 'a', title: w.ask, run: ask }] : [])
  return (
    <>
      <Split
        heading={w.title}
        list={<QuestionList query={query} open={open} ask={ask} />}
        title={String(open)}
        detail={open === undefined ? undefined : <QuestionDetail key={open} id={open} />}
      />
      {isAsking && <Ask item={query.item} onAsked={openDetail} onClose={() => setAsking(false)} />}
    </>
  )
}
