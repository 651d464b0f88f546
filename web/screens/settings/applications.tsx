import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Check, Input } from '../../parts/form.tsx'
import { ListRows } from '../../parts/rows.tsx'
import { Badge, FactList, foreign } from '../../parts/values.tsx'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { Secret } from './tokens.tsx'

const w = wordsOf('settings')

type Application = Schemas['Application']

export function Applications() {
  const list = useWhole('GET /applications', {}, { first: 20, refreshOn: ['control'] })
  return (
    <>
      <div class="row spread">
        <p class="muted">{w.applicationsWhy}</p>
        <DialogButton title={w.newApplication} keys="+">
          <ApplicationForm />
        </DialogButton>
      </div>
      <ListRows label={w.applications} list={list} keyOf={({ id }) => id}>
        {(application) => <ApplicationRow application={application} />}
      </ListRows>
    </>
  )
}

function ApplicationRow({ application }: { application: Application }) {
  const { id, name, secret, redirect_uri, use_pkce, blocked } = application
  const { data } = useCall('GET /notifications', { query: { application_id: id } }, { refreshOn: ['control'] })
  const setting = data?.results[0]
  return (
    <>
      <div class="stack">
        <strong>{foreign(name)}</strong>
        {(use_pkce || blocked) && (
          <p class="row">
            {use_pkce && <Badge>PKCE</Badge>}
            {blocked && <Badge tone="warn">{w.blocked}</Badge>}
          </p>
        )}
        <FactList
          of={[
            ['client_id', <code key="id">{id}</code>],
            ['client_secret', <Secret key="secret" value={secret} name={`client_secret ${id}`} />],
            ['redirect_uri', redirect_uri],
            [
              w.notifications,
              data === undefined
                ? null
                : setting
                  ? `${setting.callback_url} · ${setting.profile} · ${setting.topics.join(', ')}`
                  : w.noWebhooks,
            ],
          ]}
        />
      </div>
      <div class="actions">
        <DialogButton class="small" title={w.edit}>
          <ApplicationForm application={application} />
        </DialogButton>
      </div>
    </>
  )
}

/** Changes an application, or creates one. */
function ApplicationForm({ application }: { application?: Application }) {
  const title = application ? w.edit : w.newApplication
  const submit = (body: BodyOf<'POST /applications'>): Promise<unknown> =>
    application
      ? change(title, 'PATCH /applications/{id}', { path: { id: application.id }, body })
      : change(title, 'POST /applications', { body })
  return (
    <FormDialog title={title} action={application ? w.edit : w.createShort} onSubmit={submit}>
      <Input label={w.name} name="name" value={application?.name} autofocus />
      <Input
        label="redirect_uri"
        name="redirect_uri"
        required
        value={application?.redirect_uri}
        placeholder="http://127.0.0.1:3000/callback"
      />
      <Check label={w.usePkce} name="use_pkce" isChecked={application?.use_pkce ?? false} />
      <Check label={w.block} name="blocked" isChecked={application?.blocked ?? false} />
    </FormDialog>
  )
}
