import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { CAPACITY, CUTOFFS, MIN_ACCURATE_RANGES, RADIUS } from './settings.ts'
import { STATUS_CHANGES } from './tables.ts'

export const ACTIVATION_NEEDS_SUBSCRIPTION = defineSwitch('flex.activation_needs_subscription', ['true', 'false'])

export const FLEX: Assumptions = {
  [ACTIVATION_NEEDS_SUBSCRIPTION.name]: assumed(
    'Whether offering a listing with Flex needs a subscription',
    ACTIVATION_NEEDS_SUBSCRIPTION,
  ),
  'flex.errors': assumed('Codes of errors', 'bad_request, forbidden, not_found'),
  'flex.rights': assumed('Whose subscriptions and settings a seller reads and changes', 'only its own, else 403'),
  'flex.no_subscription': assumed('List of subscriptions of a user without Flex', '200 and empty'),
  'flex.order': assumed(
    'Order of the checks of a call',
    'subscriptions: token, site, user, owner; configuration: token, site, JSON, query, user, owner, pair; settings: token, site, user_id, service_id, JSON, pair, owner, status, members; couriers: token, site, members, user, owner, shipment, driver',
  ),
  'flex.status': assumed('How a subscription changes its status', `by control calls: ${STATUS_CHANGES}`),
  'flex.origins': assumed(
    'Where the subscriptions from other addresses than the seller’s are seen',
    'in the newer list, and by calls with their service_id; they need FLEX from the own address',
  ),
  'flex.newer.subscriptions': assumed(
    'Settings that the newer list shows',
    'disabled if every day is off; FLEX has holidays and could have cutoffs by zone',
  ),
  'flex.newer.not_found': assumed(
    'Answer of the newer paths without a subscription that has the settings',
    '404 subscriptions not found; for a change 404 can’t update delivery custom',
  ),
  'flex.newer.zones': assumed('Outlines and scopes of zones', 'invented squares; by the distance from the centre'),
  'flex.newer.zones.cutoff': assumed(
    'Which cutoffs of zones are stored',
    'those that are sent, unless several zones all have the same; all three days, within the limits of the scope',
  ),
  'flex.newer.ranges': assumed('Days that are off in the newer ranges', 'absent'),
  'flex.newer.ranges.cutoff': assumed(
    'When the newer ranges need a cutoff',
    'same_day without cutoffs by zone; next_day ignores it and stores 12',
  ),
  'flex.newer.holidays': assumed(
    'Which holidays a seller can choose',
    'those of a fixed date in the next twelve months; selected: no deliveries; false at first',
  ),
  'flex.items.conflict': assumed('When a newer change of a listing is 409', 'while another one is in flight'),
  'flex.courier': assumed(
    'What a courier registers',
    'any shipment of the site without a driver; it becomes the driver; else 409 courier shipment conflict',
  ),
  'flex.query.order': assumed('Order of the members of a configuration', 'that of the query'),
  'flex.query.block_strings': assumed('Answer to a query of more than 64 KiB with a block string', '400 invalid query'),
  'flex.query.null_arguments': assumed('Meaning of an argument that is null or absent', 'it does not match the schema'),
  'flex.query.operation_name': assumed('Meaning of an empty operationName', 'the same as an absent one'),
  'flex.configuration.ranges': assumed(
    'Values of ranges in the configuration',
    'FLEX: type cpt, et_hour = to; TURBO: type etd, et_hour null, calculated_cutoff = from; processing_time 0',
  ),
  'flex.training': assumed('Meaning of training_times', 'days, counted down while the subscription is pending'),
  'flex.delivery.refusals': assumed(
    'Ranges that are rejected with the name of the field',
    `days other than week, saturday and sunday, hours outside 0 to 24, capacity outside ${CAPACITY.from} to ${CAPACITY.to}, cutoff outside ${CUTOFFS[0]} to ${CUTOFFS.at(-1)} or later than to, overlapping ranges, different capacities of different days where CAPACITY_BY_DAY is disabled`,
  ),
  'flex.delivery.answer': assumed(
    'Answer to a change of the delivery',
    'delivery_window and delivery_ranges as stored',
  ),
  'flex.coverage.refusals': assumed(
    'Zones that are rejected',
    'unknown ones, repeated ones, a list without a mandatory one',
  ),
  'flex.coverage.answer': assumed('Answer to a change of the coverage', 'the zones in the order of the request'),
  'flex.turbo.settings': assumed(
    'Allowed settings of TURBO',
    `at least ${MIN_ACCURATE_RANGES} of the listed ranges, Monday to Friday, and a radius of ${RADIUS.from} to ${RADIUS.to} metres`,
  ),
  'flex.driver.rights': assumed('Who can read the driver of a shipment', 'its seller; others get 404'),
}
