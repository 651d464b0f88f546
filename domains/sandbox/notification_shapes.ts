import { type Static, Type } from '@sinclair/typebox'
import { TOPICS } from '../../db/schema/outbox.ts'
import { badRequest } from '../../plugins/errors.ts'
import { PROFILE_NAMES, profileOf } from '../notifications/profiles.ts'
import type { SettingInput, SettingRow, TopicRow } from '../notifications/queries.ts'
import { InvalidTarget, MAX_TARGET_LENGTH, type NetworkPolicy, parseTarget } from '../notifications/targets.ts'
import { ResponseObject, OneOf } from '../shared/atoms.ts'
import { utcMillis } from '../shared/instants.ts'
import { body } from './shapes.ts'

const Topics = Type.Array(OneOf([...TOPICS]), {
  uniqueItems: true,
  description: 'What it is told of',
  examples: [[...TOPICS]],
  'x-message': 'must be an array of different topics',
})
const ProfileOf = OneOf(PROFILE_NAMES, {
  description:
    'ideal: at once and in order; realistic: half a second to answer, as the public service does it; hostile: late, twice, in another order or never',
  examples: ['ideal'],
})
const Url = Type.String({
  maxLength: MAX_TARGET_LENGTH,
  description: 'Where notifications are sent',
  examples: ['http://127.0.0.1:3000/hook'],
  'x-message': `must be a text of at most ${MAX_TARGET_LENGTH} characters`,
})

const DAY = 24 * 3_600_000
const MOST_ATTEMPTS = 20
const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description, 'x-message': `must be an integer from ${minimum} to ${maximum}` })
const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, 'x-message': 'must be a number from 0 to 1' })
const OFFSETS = `must be an array of 1 to ${MOST_ATTEMPTS} integers that begins with 0 and grows, to ${7 * DAY} at most`
const NUMBERS = {
  limit_ms: integer(1, 60_000, 'Real time that a receiver has to answer 200, ms'),
  attempts_at: Type.Array(Type.Integer({ minimum: 0, maximum: 7 * DAY, 'x-message': OFFSETS }), {
    minItems: 1,
    maxItems: MOST_ATTEMPTS,
    description: 'World time of each attempt, ms after the first',
    examples: [[0, 15_000, 60_000]],
    'x-message': OFFSETS,
  }),
  in_order: Type.Boolean({
    description: 'One resource’s notifications wait for those before them',
    'x-message': 'must be true or false',
  }),
  off_after: integer(0, 10_000, 'Notifications missed in a row that switch their topic off; 0: none do'),
  spread: share('Share of its wait by which a retry may come later'),
  jitter_ms: integer(0, DAY, 'World time that a first attempt may come late, ms: neighbours change places'),
  delayed: share('Share of those that come later still, by up to `delay_ms`'),
  delay_ms: integer(0, DAY, 'World time, ms'),
  duplicates: share('Share of those that come once more after they arrived'),
  silenced: share('Share of those that are never sent'),
}
const Overrides = Type.Partial(body(NUMBERS), {
  additionalProperties: false,
  description: 'Numbers of the profile that differ here',
  examples: [{ limit_ms: 200 }],
  'x-message': 'must be an object',
})

/** How an application is told, as a person writes it. `readSetting` reads it. */
export const SETTING = {
  callback_url: Url,
  topics: Type.Optional({ ...Topics, description: 'What it is told of; default all' }),
  profile: Type.Optional({ ...ProfileOf, description: `${ProfileOf.description}. Default ideal` }),
  overrides: Type.Optional(Overrides),
}
const Written = Type.Object(SETTING)

/** The row of what a person wrote, in the words of `where` when it is refused. */
export function readSetting(
  application_id: number,
  { callback_url, topics = [...TOPICS], profile = 'ideal', overrides = {} }: Static<typeof Written>,
  reach: NetworkPolicy,
  where = '',
): SettingInput {
  const { attempts_at = [0] } = overrides
  if (attempts_at.some((at, n) => (n === 0 ? at !== 0 : at <= attempts_at[n - 1]!)))
    throw badRequest(`${where}overrides.attempts_at: ${OFFSETS}`)
  return {
    application_id,
    callback_url: target(callback_url, reach, where),
    topics: JSON.stringify(topics),
    profile,
    overrides: JSON.stringify(overrides),
  }
}

/** What a person would write for a row: what is as it is without a word is left out. */
export function writtenSetting({ callback_url, topics, profile, overrides }: SettingRow) {
  return {
    callback_url,
    ...(topics !== JSON.stringify(TOPICS) && { topics: JSON.parse(topics) }),
    ...(profile !== 'ideal' && { profile }),
    ...(overrides !== '{}' && { overrides: JSON.parse(overrides) }),
  }
}

function target(text: string, reach: NetworkPolicy, where: string): string {
  try {
    return parseTarget(text, reach).href
  } catch (error) {
    throw error instanceof InvalidTarget ? badRequest(`${where}callback_url: ${error.message}`) : error
  }
}

export const Setting = ResponseObject(
  {
    application_id: Type.Integer({ description: 'Who is told' }),
    callback_url: Url,
    topics: Topics,
    profile: ProfileOf,
    overrides: Overrides,
    numbers: ResponseObject(NUMBERS, { title: 'ProfileNumbers', description: 'What the profile comes to with them' }),
    topics_off: Type.Array(
      ResponseObject(
        {
          topic: OneOf([...TOPICS], { description: 'Of which it is told no more, until it is set again' }),
          since: Type.String({ description: 'World time' }),
        },
        { title: 'TopicOff', description: 'Too many of its notifications were missed' },
      ),
      { description: 'Topics that were switched off' },
    ),
  },
  { title: 'NotificationSetting', description: 'How an application is told of changes' },
)

export function presentSetting(row: SettingInput, off: TopicRow[]): Static<typeof Setting> {
  const { application_id, callback_url, topics, profile, overrides } = row
  return {
    application_id,
    callback_url,
    topics: JSON.parse(topics),
    profile: profile as Static<typeof ProfileOf>,
    overrides: JSON.parse(overrides),
    numbers: profileOf(row),
    topics_off: off.map(({ topic, off_at }) => ({
      topic: topic as (typeof TOPICS)[number],
      since: utcMillis(off_at!),
    })),
  }
}
