import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { ConfirmButton, FormDialog } from '../../parts/dialog.tsx'
import { Input, Options } from '../../parts/form.tsx'
import { notify } from '../../parts/toasts.tsx'
import { visible } from '../../parts/values.tsx'
import { distanceOf } from '../../words/time.ts'
import { basePath, consoleOf } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('worlds')

const Expiry = ({ first }: { first: [string, string][] }) => {
  const lives: [string, string][] = [
    ['3600', w.hour],
    ['86400', w.day],
    ['604800', w.week],
  ]
  return <Options label={w.expires} name="expires_in" data-json options={[...first, ...lives]} />
}

/** `from`: the world to copy; without it a scenario is chosen. */
export function NewWorld({ from }: { from?: World }) {
  const title = from ? `${w.fork} ${visible(nameOf(from))}` : w.create
  const submit = async (values: BodyOf<'POST /worlds'>) => {
    const body = { ...values, ...(from && { from: from.id }), created_by: 'console' }
    const { world } = await change(title, 'POST /worlds', { body })
    notify(
      <>
        {w.worldCreated} <a href={linkTo(world.id)}>{visible(values.name ?? w.world(world.id))}</a>
      </>,
    )
  }
  return (
    <FormDialog title={title} action={from ? w.fork : w.createShort} onSubmit={submit}>
      {from && <p class="muted">{w.forkWhy}</p>}
      <Input label={w.name} name="name" hint={w.optional} maxLength={100} autofocus />
      {!from && (
        <Options
          label={w.scenario}
          name="scenario"
          options={[
            ['demo', `demo: ${w.demo}`],
            ['quiet', `quiet: ${w.quiet}`],
            ['empty', `empty: ${w.emptyWorld}`],
          ]}
        />
      )}
      <Input label={w.freezeAt} name="now" placeholder="2026-03-02T12:00:00Z" hint={w.freezeWhy} />
      <div class="field-row">
        {!from && <Input label={w.seed} name="seed" type="number" min={0} placeholder="1" hint={w.seedWhy} />}
        <Expiry first={[['', w.never]]} />
      </div>
    </FormDialog>
  )
}

export function EditWorld({ world }: { world: World }) {
  const { id } = world
  const submit = (body: BodyOf<'PATCH /worlds/{id}'>) => change(w.edit, 'PATCH /worlds/{id}', { path: { id }, body })
  const first: [string, string][] = [
    ['', w.unchanged],
    ['null', w.never],
  ]
  return (
    <FormDialog title={`${w.edit} ${visible(nameOf(world))}`} action={w.save} onSubmit={submit}>
      <Input label={w.name} name="name" value={world.name} data-empty="null" maxLength={100} autofocus />
      {id !== 1 && <Expiry first={first} />}
    </FormDialog>
  )
}

interface DeleteButtonProps {
  world: World
  isKept: boolean
  class: string
  onDeleted?: () => void
}

export function DeleteButton({ world, isKept, class: name, onDeleted }: DeleteButtonProps) {
  const title = nameOf(world)
  const remove = async () => {
    await change(w.delete, 'DELETE /worlds/{id}', { path: { id: world.id } })
    notify(w.worldDeleted(visible(title)))
    onDeleted?.()
  }
  return (
    <ConfirmButton
      class={name}
      title={w.delete}
      heading={`${w.delete} ${visible(title)}`}
      typed={isKept ? title : undefined}
      onSubmit={remove}
    >
      {w.deleteLoss}
    </ConfirmButton>
  )
}

export type World = Schemas['ListedWorld']

/** `Checkout tests`, or `World 2`. */
export const nameOf = ({ id, name }: World): string => name ?? w.world(id)

/** The worlds screen in the console of another world. */
export const linkTo = (id: number): string => `${consoleOf(basePath(location.pathname), id)}#/worlds`

/** `5 min ago`, of a time of this machine. */
export const fromNow = (instant: string): string => distanceOf(Date.parse(instant), Date.now())
