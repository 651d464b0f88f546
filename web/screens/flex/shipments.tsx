import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Input } from '../../parts/form.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { ListRows } from '../../parts/rows.tsx'
import { Badge } from '../../parts/values.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { isFlexChange } from './subscription.tsx'

const w = wordsOf('flex')

type Shipment = Schemas['Shipment']

/** The shipments of a seller with their drivers. */
export function Shipments({ user }: { user: number }) {
  const list = useWhole(
    'GET /shipments',
    { seller_id: user, logistic_type: 'self_service' },
    { first: 10, refreshOn: isFlexChange },
  )
  const create = (driver: number | null) => {
    const body = { seller_id: user, ...(driver !== null && { driver_id: driver }) }
    return change(w.newShipment, 'POST /shipments', { body })
  }
  return (
    <section class="stack" aria-labelledby="flex-shipments">
      <div class="row spread">
        <h3 id="flex-shipments">{w.shipments}</h3>
        <DialogButton class="small" title={w.newShipment}>
          <DriverForm title={w.newShipment} onDriver={create} />
        </DialogButton>
      </div>
      <ListRows label={w.shipments} list={list} keyOf={({ id }) => id} none={<p class="muted">{w.noShipments}</p>}>
        {(shipment) => <ShipmentRow shipment={shipment} />}
      </ListRows>
    </section>
  )
}

function ShipmentRow({ shipment }: { shipment: Shipment }) {
  const { id, driver_id, route_open, date_created } = shipment
  const update = (title: string, body: BodyOf<'PATCH /shipments/{id}'>) =>
    change(title, 'PATCH /shipments/{id}', { path: { id }, body })
  const routeTitle = route_open ? w.closeRoute : w.openRoute
  const turn = () => update(routeTitle, { route_open: !route_open })
  return (
    <>
      <div>
        <strong class="mono">{id}</strong> {driver_id === null ? w.noDriver : `${w.driver} ${driver_id}`}{' '}
        {route_open && <Badge tone="info">{w.onRoute}</Badge>}
        <p class="muted">{dateTimeOf(date_created)}</p>
      </div>
      <div class="actions">
        <DialogButton class="small" title={w.driver}>
          <DriverForm
            title={`${w.driver} · ${id}`}
            driver={driver_id}
            onDriver={(driver) => update(w.driver, { driver_id: driver })}
          />
        </DialogButton>
        <ActionButtons class="small" of={driver_id === null ? [] : [{ title: routeTitle, run: turn }]} />
      </div>
    </>
  )
}

interface DriverFormProps {
  title: string
  driver?: number | null
  onDriver(driver: number | null): Promise<unknown>
}

const DriverForm = ({ title, driver, onDriver }: DriverFormProps) => (
  <FormDialog
    title={title}
    action={w.save}
    onSubmit={({ driver_id }: { driver_id?: number }) => onDriver(driver_id ?? null)}
  >
    <Input
      label={w.driver}
      name="driver_id"
      inputMode="numeric"
      pattern="\d*"
      value={driver}
      hint={w.driverHint}
      autofocus
    />
  </FormDialog>
)
