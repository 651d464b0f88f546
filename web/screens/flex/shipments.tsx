import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Input } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { isFlexChange } from './subscription.tsx'

type Shipment = Schemas['Shipment']

/** The shipments of a seller with their drivers. */
export function Shipments({ user }: { user: number }) {
  const w = words().flex
  const [limit, setLimit] = useState(10)
  const shipments = useCall(
    'GET /shipments',
    { query: { seller_id: user, logistic_type: 'self_service', limit } },
    { refreshOn: isFlexChange },
  )
  const create = async (driver: number | null) => {
    const body = { seller_id: user, ...(driver !== null && { driver_id: driver }) }
    await change(w.newShipment, 'POST /shipments', { body })
    shipments.again()
  }
  return (
    <section class="stack" aria-labelledby="flex-shipments">
      <div class="row spread">
        <h3 id="flex-shipments">{w.shipments}</h3>
        <DialogButton
          class="small"
          title={w.newShipment}
          dialog={(close) => <DriverForm title={w.newShipment} onDriver={create} onClose={close} />}
        />
      </div>
      <Show loaded={shipments}>
        {(page) =>
          page.results.length === 0 ? (
            <p class="muted">{w.noShipments}</p>
          ) : (
            <Rows label={w.shipments} page={page} keyOf={({ id }) => id} onLimit={setLimit}>
              {(shipment) => <ShipmentRow shipment={shipment} again={shipments.again} />}
            </Rows>
          )
        }
      </Show>
    </section>
  )
}

function ShipmentRow({ shipment, again }: { shipment: Shipment; again(): void }) {
  const w = words().flex
  const { id, driver_id, route_open, date_created } = shipment
  const update = async (title: string, body: BodyOf<'PATCH /shipments/{id}'>) => {
    await change(title, 'PATCH /shipments/{id}', { path: { id }, body })
    again()
  }
  const routeTitle = route_open ? w.closeRoute : w.openRoute
  return (
    <>
      <div>
        <strong class="mono">{id}</strong> {driver_id === null ? w.noDriver : `${w.driver} ${driver_id}`}{' '}
        {route_open && (
          <span class="badge" data-tone="info">
            {w.onRoute}
          </span>
        )}
        <p class="muted">{dateTimeOf(date_created)}</p>
      </div>
      {canChange.value && (
        <div class="actions">
          <DialogButton
            class="small"
            title={w.driver}
            dialog={(close) => (
              <DriverForm
                title={`${w.driver} · ${id}`}
                driver={driver_id}
                onDriver={(driver) => update(w.driver, { driver_id: driver })}
                onClose={close}
              />
            )}
          />
          {driver_id !== null && (
            <button
              type="button"
              class="small"
              onClick={() => void attempt(() => update(routeTitle, { route_open: !route_open })).catch(() => {})}
            >
              {routeTitle}
            </button>
          )}
        </div>
      )}
    </>
  )
}

interface DriverFormProps {
  title: string
  driver?: number | null
  onDriver(driver: number | null): Promise<unknown>
  onClose(): void
}

const DriverForm = ({ title, driver, onDriver, onClose }: DriverFormProps) => (
  <FormDialog
    title={title}
    action={words().flex.save}
    onSubmit={({ driver_id }) => onDriver(driver_id ? Number(driver_id) : null)}
    onClose={onClose}
  >
    <Input
      label={words().flex.driver}
      name="driver_id"
      inputMode="numeric"
      pattern="\d*"
      value={String(driver ?? '')}
      hint={words().flex.driverHint}
      autofocus
    />
  </FormDialog>
)
