import fc, { type Arbitrary } from 'fast-check'
import { type Operation, operations } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import * as emulated from './calls.ts'
import { almostValidCall, arbitraryCall, control, validCall } from './control_calls.ts'
import { EMULATED_VALUES, LEAD, THIS_WORLD, tokenOf } from './control_values.ts'

/** Calls in one world: control calls, then calls of the emulated API. */
export interface Script {
  scenario: 'demo' | 'empty'
  calls: Call[]
  after: Call[]
  /** Index of the call that is checked closely: if it is rejected, nothing that can be read of the world may change. */
  closely: number
}

/** Setup of every script, so that most calls reach an existing entity. */
export const SETUP: [path: string, body: object][] = [
  ['/users', { id: 7, site_id: 'MLA', level_id: '5_green', address: { city: 'Buenos Aires' } }],
  ['/users', { id: 8, site_id: 'MLA' }],
  ['/items', { id: 'MLA77', seller_id: 7, available_quantity: 50 }],
  ['/tokens', { user_id: 8, token: tokenOf(8) }],
  ['/questions', { id: 5, item_id: 'MLA77', from: 8, text: '¿Hay stock?' }],
  ['/flex/subscriptions', { id: 9, service_id: 9, user_id: 7, status: 'in' }],
  ['/flex/subscriptions', { id: 10, service_id: 736_230, user_id: 7, mode: 'TURBO' }],
  ['/loans', { id: LEAD, item_id: 'MLA77', buyer_id: 8 }],
  ['/orders', { item_id: 'MLA77', buyer: 8, status: 'payment_required' }],
  ['/orders', { item_id: 'MLA77', buyer: 8, quantity: 3 }],
  ['/messages', { pack_id: 2_000_005_000_000_002, from: 'buyer', text: '¿Cuándo llega?' }],
  ['/claims', { order_id: 2_000_010_000_000_002, message: 'No enciende.' }],
  ['/applications', { id: 3, redirect_uri: 'http://localhost:3000/callback' }],
  ['/shipments', { id: 5, seller_id: 7, driver_id: 1 }],
  ['/stubs', { id: 1, match: { path: '/reviews/{id}' }, answer: { status: 503 } }],
  ['/faults', { id: 1, match: { path: '/nothing' }, action: { status: 503 } }],
  ['/snapshots', { name: 'a' }],
]

/** Subscribes an application and causes an event. */
export const SUBSCRIPTION: [method: string, path: string, body: object][] = [
  ['POST', '/tokens', { user_id: 7, application_id: 3 }],
  ['PUT', '/applications/3/notifications', { callback_url: 'http://127.0.0.1:9/hook' }],
  ['PATCH', '/items/MLA77', { status: 'paused' }],
  ['PATCH', '/items/MLA77', { status: 'active' }],
]

/** A call of any operation; those that revert the world or take long are rare. */
const anyOperation = (make: (operation: Operation) => Arbitrary<Call>, selected = control.operations) =>
  fc.oneof(
    ...selected.map((one) => ({
      weight: /\/(reset|restore|undo|world|simulate|notifications)$/.test(one.path) ? 2 : 6,
      arbitrary: make(one),
    })),
  )

/** Control calls, most of them valid. */
export const anyControlCall: Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: anyOperation(
      validCall,
      control.operations.filter(({ method }) => method !== 'GET'),
    ),
  },
  {
    weight: 2,
    arbitrary: anyOperation(
      validCall,
      control.operations.filter(({ method }) => method === 'GET'),
    ),
  },
  { weight: 5, arbitrary: anyOperation(almostValidCall) },
  { weight: 3, arbitrary: anyOperation(arbitraryCall) },
)

const BASE = `/w/${THIS_WORLD}`
const INVALID_BASES = [
  `/w/0${THIS_WORLD}`,
  '/w/999999',
  '/w/x',
  '/w/',
  '/w/%31',
  '/w/1.0',
  '/w/-1',
  `/w/${THIS_WORLD}%20`,
]
const withBasePath = (base: string) => (call: Call) => ({ ...call, url: base + call.url })

const withBase = fc.oneof(
  { weight: 30, arbitrary: anyControlCall.map(withBasePath(BASE)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyControlCall, fc.constantFrom(...INVALID_BASES))
      .map(([call, base]) => withBasePath(base)(call)),
  },
)

/** The journal is read between the calls it records. */
const journalReads = anyOperation(
  validCall,
  control.operations.filter(({ path }) => /\/(requests|verify)$/.test(path)),
).map(withBasePath(BASE))
const emulatedCalls = fc
  .oneof(
    ...operations
      .filter(({ path }) => !/oauth|authorization|openapi/.test(path))
      .map((operation) => emulated.validCall(EMULATED_VALUES, operation)),
  )
  .map(withBasePath(BASE))

/** Releases held deliveries and holds them again, which random calls rarely do. */
const releaseAndHold = (call: Call): Call[] =>
  call.url.endsWith('/hold') ? [call, { ...call, url: call.url.replace(/hold$/, 'release') }, call] : [call]

/** Scripts of at most `most` control calls. */
export const scripts = (count: number): Arbitrary<Script> =>
  fc.record({
    scenario: fc.constantFrom('demo', 'empty', 'empty', 'empty'),
    calls: fc
      .array(withBase, { minLength: count / 2, maxLength: count, size: 'max' })
      .map((calls) => calls.flatMap(releaseAndHold)),
    after: fc.array(fc.oneof({ weight: 6, arbitrary: emulatedCalls }, { weight: 1, arbitrary: journalReads }), {
      maxLength: count / 2,
      size: 'max',
    }),
    closely: fc.nat({ max: 3 * count }),
  })

/** Only held deliveries can be released. */
const holdFirst = (call: Call): Call[] =>
  call.url.endsWith('/release') ? [{ ...call, url: call.url.replace(/release$/, 'hold') }, call] : [call]

/** A script of so many calls of each of some operations, in its turn; most are valid unless a call must only fail. */
export const scriptsOf = (
  some: readonly { operation: Operation; isValid: boolean }[],
  callsOfEach: number,
): Arbitrary<Script> =>
  fc.record({
    scenario: fc.constant('empty' as const),
    calls: fc
      .tuple(
        ...some.map(({ operation, isValid }) =>
          fc.array(
            fc
              .oneof(
                { weight: isValid ? 7 : 0, arbitrary: validCall(operation) },
                { weight: 1, arbitrary: almostValidCall(operation) },
              )
              .map(withBasePath(BASE)),
            { minLength: callsOfEach, maxLength: callsOfEach, size: 'max' },
          ),
        ),
      )
      .map((calls) => calls.flat().flatMap(holdFirst)),
    after: fc.constant([]),
    closely: fc.constant(1),
  })
