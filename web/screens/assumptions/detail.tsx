import { useEffect, useId, useState } from 'preact/hooks'
import { Code, copy } from '../../parts/code.tsx'
import { FactList } from '../../parts/facts.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { change } from '../../world/client.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import type { Assumption } from './list.tsx'

export function AssumptionDetail({ assumption, again }: { assumption: Assumption; again(): void }) {
  const w = words().assumptions
  const { name, source, means, value, alternatives } = assumption
  const isSwitch = alternatives.length > 0
  const setting = `${name}=${value}`
  const flag = `--assume ${setting.includes(' ') ? `'${setting}'` : setting}`
  useKeys(
    isSwitch ? [{ keys: 'c', title: w.copyFlag, run: () => void copy(flag).then(() => notify(common().copied)) }] : [],
  )
  return (
    <article class="assumption stack">
      <h2 class="mono">{name}</h2>
      <p lang="en">{means}</p>
      <FactList
        of={[
          [w.source, source === 'assumed' ? w.assumed : w.observed],
          [w.value, isSwitch ? null : <span lang="en">{value}</span>],
        ]}
      />
      {isSwitch ? (
        <>
          <Values assumption={assumption} again={again} />
          <section class="stack">
            <h3>{w.forNewWorlds}</h3>
            <Code text={flag} label={w.copyFlag} />
          </section>
        </>
      ) : (
        <p class="muted">{w.fixedWhy}</p>
      )}
    </article>
  )
}

function Values({ assumption: { name, value, alternatives }, again }: { assumption: Assumption; again(): void }) {
  const w = words().assumptions
  const group = useId()
  // The choice is shown at once, not only when the assumption was read again.
  const [chosen, setChosen] = useState<string>()
  useEffect(() => setChosen(undefined), [value])
  const choose = (one: string) => {
    setChosen(one)
    attempt(() => change(`${name}=${one}`, 'PATCH /assumptions/{name}', { path: { name }, body: { value: one } })).then(
      again,
      () => setChosen(undefined),
    )
  }
  return (
    <fieldset class="values">
      <legend class="label">{w.inThisWorld}</legend>
      {[value, ...alternatives].sort().map((one) => (
        <label key={one} class="mono">
          <input
            type="radio"
            name={group}
            checked={one === (chosen ?? value)}
            disabled={!canChange.value}
            onChange={() => choose(one)}
          />
          {one}
        </label>
      ))}
    </fieldset>
  )
}
