import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/code.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ReadOnly } from '../../parts/rows.tsx'
import { words as common } from '../../words/index.ts'
import { baseUrl } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { isViewer } from '../../world/role.ts'
import { words } from '../words.ts'
import { type Progress, readProgress, STEPS, type StepName, type StepProps } from './progress.ts'
import { Answer, Call, Read, Recover, Time, Webhook } from './steps.tsx'

const CONTENTS: Record<StepName, ComponentType<StepProps>> = {
  ...{ call: Call, webhook: Webhook, read: Read, answer: Answer, recover: Recover, time: Time },
}

const NEXT = [
  ['live', 'watch'],
  ['requests', 'asTests'],
  ['clock', 'turnBack'],
] as const

export default function Start() {
  const w = words().start
  const loaded = useLoad(readProgress, { refreshOn: ({ type }) => type !== 'contact' })
  return (
    <div class="page guide">
      <div class="page-head">
        <h1>{w.title}</h1>
        <ReadOnly />
      </div>
      <p class="muted">{w.intro}</p>
      <Show loaded={loaded}>{(progress) => <Steps progress={progress} again={loaded.again} />}</Show>
    </div>
  )
}

function Steps({ progress, again }: StepProps) {
  const w = words().start
  const count = STEPS.filter((name) => progress.done[name]).length
  const current = STEPS.find((name) => !progress.done[name])
  return (
    <>
      <div class="guide-progress">
        <progress max={STEPS.length} value={count} aria-label={w.title} />
        <span role="status">{w.progress(count, STEPS.length)}</span>
      </div>
      <Environment progress={progress} />
      <ol class="guide-steps">
        {STEPS.map((name, n) => {
          const Content = CONTENTS[name]
          return (
            <li key={name} data-done={progress.done[name]}>
              <span class="guide-mark" aria-hidden="true">
                {progress.done[name] ? <Icon name="done" /> : n + 1}
              </span>
              <details open={name === current}>
                <summary>
                  <h2>{w[name]}</h2>
                  {progress.done[name] && <span class="hidden">{w.done}</span>}
                </summary>
                <div class="stack">
                  <p class="muted">{w[`${name}Why`]}</p>
                  <Content progress={progress} again={again} />
                </div>
              </details>
            </li>
          )
        })}
      </ol>
      {current === undefined && (
        <div class="guide-end">
          <p>{w.finished}</p>
          <ul>
            {NEXT.map(([screen, title]) => (
              <li key={screen}>
                <a href={`#/${screen}`}>{w[title]}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The variables that the programs of the guide read. The token is hidden: screens are shared. */
function Environment({ progress: { seller, done } }: { progress: Progress }) {
  const [isShown, setShown] = useState(false)
  const w = words().start
  const textWith = (token: string) => `export MERCADITO_URL=${baseUrl}\nexport TOKEN=${token}`
  const token = seller?.token ?? ''
  return (
    <details class="card" open={!done.call}>
      <summary>
        <h2>{w.environment}</h2>
      </summary>
      <div class="stack">
        <p class="muted">{w.environmentWhy}</p>
        <pre class="code">{textWith(isShown ? token : `${token.slice(0, 8)}…`)}</pre>
        <div class="row">
          <CopyButton text={textWith(token)}>{common().copy}</CopyButton>
          {isViewer.value || (
            <button type="button" class="small plain" onClick={() => setShown(!isShown)}>
              {isShown ? w.hide : w.show}
            </button>
          )}
        </div>
      </div>
    </details>
  )
}
