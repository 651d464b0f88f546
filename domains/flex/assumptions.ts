import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { CAPACITY, CUTOFFS, MIN_ACCURATE_RANGES, RADIUS } from './limits.ts'

export const ACTIVATION_NEEDS_SUBSCRIPTION = defineSwitch('flex.activation_needs_subscription', ['true', 'false'])

export const FLEX: Assumptions = {
  [ACTIVATION_NEEDS_SUBSCRIPTION.name]: assumed(
    'Whether offering a listing with Flex needs a subscription',
    ACTIVATION_NEEDS_SUBSCRIPTION,
  ),
  'flex.errors': assumed('Which codes errors have', 'bad_request, forbidden, not_found'),
  'flex.rights': assumed('Whose subscriptions and settings a seller reads and changes', 'only its own: else 403'),
  'flex.no_subscription': assumed('What the list of a user without Flex is', '200 and empty'),
  'flex.order': assumed(
    'In which order calls are checked',
    'subscriptions: token, site, user, own; configuration: token, site, JSON, query, user, own, pair; settings: token, site, user_id, service_id, JSON, pair, own, status, members',
  ),
  'flex.status': assumed('How a subscription changes its status', 'pending to in, in to out, out to pending'),
  'flex.query.order': assumed('In which order a configuration has its members', 'that of the query'),
  'flex.query.block_strings': assumed(
    'What a query of more than 64 KiB with a block string answers',
    '400 invalid query',
  ),
  'flex.query.null_arguments': assumed('What an argument that is null or absent counts as', 'not fitting the schema'),
  'flex.query.operation_name': assumed('What an empty operationName counts as', 'none'),
  'flex.configuration.ranges': assumed(
    'Values of ranges in the configuration',
    'FLEX: type cpt, et_hour = to; TURBO: type etd, et_hour null, calculated_cutoff = from; processing_time 0',
  ),
  'flex.training': assumed('How training_times go', 'in days, counting down while the subscription is pending'),
  'flex.delivery.refusals': assumed(
    'Which ranges are rejected, with the field named',
    `hours not from 0 to 24, capacity not from ${CAPACITY.from} to ${CAPACITY.to}, cutoff not from ${CUTOFFS[0]} to ${CUTOFFS.at(-1)} or later than to, ranges that overlap`,
  ),
  'flex.delivery.answer': assumed(
    'What changing the delivery answers',
    'delivery_window and delivery_ranges as stored',
  ),
  'flex.coverage.refusals': assumed(
    'Which zones are rejected',
    'unknown ones, repeated ones, a list without a mandatory one',
  ),
  'flex.coverage.answer': assumed('What changing the coverage answers', 'the zones, in the order sent'),
  'flex.turbo.settings': assumed(
    'What TURBO may be set to',
    `at least ${MIN_ACCURATE_RANGES} of the listed ranges, Monday to Friday, and a radius of ${RADIUS.from} to ${RADIUS.to} metres`,
  ),
  'flex.driver.rights': assumed('Who can read the driver of a shipment', 'its seller; others get 404'),
}
