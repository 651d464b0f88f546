import type { ComponentType } from 'preact'
import { Environment } from '../../parts/environment.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ReadOnly } from '../../parts/page.tsx'
import { foreign } from '../../parts/values.tsx'
import type { Address } from '../../world/address.ts'
import { useLoad } from '../../world/load.ts'
import { titleOf } from '../index.ts'
import { wordsOf } from '../words.ts'
import { Demonstration } from './demonstration.tsx'
import { type Progress, readProgress, STEPS, type StepName, type StepProps } from './progress.ts'
import { Answer, Call, Read, Recover, Time, Webhook } from './steps.tsx'

const w = wordsOf('start')

const CONTENTS: Record<StepName, ComponentType<StepProps>> = {
  ...{ call: Call, webhook: Webhook, read: Read, answer: Answer, recover: Recover, time: Time },
}

const NEXT = [
  ['live', 'watch'],
  ['requests', 'asTests'],
  ['clock', 'turnBack'],
] as const

export default function Start({ query }: Address) {
  const loaded = useLoad(readProgress, { refreshOn: ({ type }) => type !== 'contact' })
  return (
    <div class="page guide">
      <div class="page-head">
        <h1>{titleOf('start')}</h1>
        <ReadOnly />
      </div>
      <p>{w.what}</p>
      <p class="muted">{w.intro}</p>
      <Demonstration play={query.play} />
      <Show loaded={loaded}>{(progress) => <Steps progress={progress} />}</Show>
    </div>
  )
}

function Steps({ progress }: StepProps) {
  const count = STEPS.filter((name) => progress.evidence[name]).length
  const current = STEPS.find((name) => !progress.evidence[name])
  return (
    <>
      <div class="guide-progress">
        <progress max={STEPS.length} value={count} aria-label={titleOf('start')} />
        <span role="status">{w.progress(count, STEPS.length)}</span>
      </div>
      <Variables progress={progress} />
      <ol class="guide-steps">
        {STEPS.map((name, n) => {
          const Content = CONTENTS[name]
          return (
            <li key={name} data-done={Boolean(progress.evidence[name])}>
              <span class="guide-mark" aria-hidden="true">
                {progress.evidence[name] ? <Icon name="done" /> : n + 1}
              </span>
              <details open={name === current}>
                <summary>
                  <h2>{w[name]}</h2>
                  {progress.evidence[name] && <span class="hidden">{w.done}</span>}
                </summary>
                <div class="stack">
                  <p class="muted">{w[`${name}Why`]}</p>
                  <Content progress={progress} />
                </div>
              </details>
              <Evidence of={progress.evidence[name]} />
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

/** What the server has seen of a step that is done. */
const Evidence = ({ of }: { of: Progress['evidence'][StepName] }) =>
  of ? (
    <p class="guide-evidence">
      <a href={of.href}>{foreign(of.text)}</a>
    </p>
  ) : null

/** The variables that the programs of the guide read. */
const Variables = ({ progress: { seller, evidence } }: { progress: Progress }) => (
  <details class="card" open={!evidence.call}>
    <summary>
      <h2>{w.environment}</h2>
    </summary>
    <Environment token={seller?.token ?? ''}>
      <p class="muted">{w.environmentWhy}</p>
    </Environment>
  </details>
)
