import fc, { type Arbitrary } from 'fast-check'
import { type Operation, operations } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import * as emulated from './calls.ts'
import { control, hostile, nearly, tame } from './control_calls.ts'
import { HERE, LEAD, PUBLIC, tokenOf } from './control_pool.ts'

/** What happens in one world: control calls, then calls of the emulated API on what they have left. */
export interface Story {
  scenario: 'demo' | 'empty'
  calls: Call[]
  after: Call[]
  /**
   * Which of the calls is looked at more closely: whatever can be read of the world is the same where it is refused.
   */
  closely: number
}

/** With which every story begins: enough for most calls to have something to be about. */
export const PRELUDE: [path: string, body: object][] = [
  ['/users', { id: 7, site_id: 'MLA', level_id: '5_green', address: { city: 'Buenos Aires' } }],
  ['/users', { id: 8, site_id: 'MLA' }],
  ['/items', { id: 'MLA77', seller_id: 7 }],
  ['/tokens', { user_id: 8, token: tokenOf(8) }],
  ['/questions', { id: 5, item_id: 'MLA77', from: 8, text: '¿Hay stock?' }],
  ['/flex/subscriptions', { id: 9, service_id: 9, user_id: 7, status: 'in' }],
  ['/flex/subscriptions', { id: 10, service_id: 736_230, user_id: 7, mode: 'TURBO' }],
  ['/loans', { id: LEAD, item_id: 'MLA77', buyer_id: 8 }],
  ['/applications', { id: 3, redirect_uri: 'http://localhost:3000/callback' }],
  ['/shipments', { id: 5, seller_id: 7, driver_id: 1 }],
  ['/faults', { id: 1, match: { path: '/nothing' }, action: { status: 503 } }],
  ['/snapshots', { name: 'a' }],
]

/** With which an application is told of changes, and of one. */
export const TOLD: [method: string, path: string, body: object][] = [
  ['POST', '/tokens', { user_id: 7, application_id: 3 }],
  ['PUT', '/applications/3/notifications', { callback_url: 'http://127.0.0.1:9/hook' }],
  ['PATCH', '/items/MLA77', { status: 'paused' }],
  ['PATCH', '/items/MLA77', { status: 'active' }],
]

/** A call of each as often as of another; what undoes a whole story, or takes long, is seldom. */
const ofAny = (make: (operation: Operation) => Arbitrary<Call>, those = control.operations) =>
  fc.oneof(
    ...those.map((one) => ({
      weight: /\/(reset|restore|world|simulate|notifications)$/.test(one.path) ? 2 : 6,
      arbitrary: make(one),
    })),
  )

/** Calls of the control plane, of which most mean well. */
export const anyControlCall: Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: ofAny(
      tame,
      control.operations.filter(({ method }) => method !== 'GET'),
    ),
  },
  {
    weight: 2,
    arbitrary: ofAny(
      tame,
      control.operations.filter(({ method }) => method === 'GET'),
    ),
  },
  { weight: 5, arbitrary: ofAny(nearly) },
  { weight: 3, arbitrary: ofAny(hostile) },
)

const BASE = `/w/${HERE}`
const MISNAMED = [`/w/0${HERE}`, '/w/999999', '/w/x', '/w/', '/w/%31', '/w/1.0', '/w/-1', `/w/${HERE}%20`]
const at = (base: string) => (call: Call) => ({ ...call, url: base + call.url })

const based = fc.oneof(
  { weight: 30, arbitrary: anyControlCall.map(at(BASE)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyControlCall, fc.constantFrom(...MISNAMED)).map(([call, base]) => at(base)(call)),
  },
)

/** What is called is journalled: that is looked at among them. */
const looks = ofAny(
  tame,
  control.operations.filter(({ path }) => /\/(requests|verify)$/.test(path)),
).map(at(BASE))
const uses = fc
  .oneof(
    ...operations
      .filter(({ path }) => !/oauth|authorization|openapi/.test(path))
      .map((operation) => emulated.tame(PUBLIC, operation)),
  )
  .map(at(BASE))

/** What is held is let go and held again: chance alone hardly ever finds it. */
const letGo = (call: Call): Call[] =>
  call.url.endsWith('/hold') ? [call, { ...call, url: call.url.replace(/hold$/, 'release') }, call] : [call]

/** Stories of at most so many control calls. */
export const stories = (most: number): Arbitrary<Story> =>
  fc.record({
    scenario: fc.constantFrom('demo', 'empty', 'empty', 'empty'),
    calls: fc.array(based, { minLength: most / 2, maxLength: most, size: 'max' }).map((calls) => calls.flatMap(letGo)),
    after: fc.array(fc.oneof({ weight: 6, arbitrary: uses }, { weight: 1, arbitrary: looks }), {
      maxLength: most / 2,
      size: 'max',
    }),
    closely: fc.nat({ max: 3 * most }),
  })

/** Only what is held can be let go. */
const heldBefore = (call: Call): Call[] =>
  call.url.endsWith('/release') ? [{ ...call, url: call.url.replace(/release$/, 'hold') }, call] : [call]

/** Short stories of nothing but one operation, asked for as it should be. */
export const storiesAbout = (operation: Operation): Arbitrary<Story> =>
  fc.record({
    scenario: fc.constant('empty' as const),
    calls: fc
      .array(tame(operation).map(at(BASE)), { minLength: 8, maxLength: 8, size: 'max' })
      .map((calls) => calls.flatMap(heldBefore)),
    after: fc.constant([]),
    closely: fc.constant(1),
  })
