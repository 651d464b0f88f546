import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { NearStub } from '../stubs/nearest.ts'
import { NO_FIX } from './texts.ts'

const PLACES = ['path', 'query', 'header', 'body'] as const
const NullableText = (description: string, example?: string) =>
  Nullable(Type.String(example === undefined ? {} : { examples: [example] }), { description })

export const FixQuery = {
  fix: OneOf(['true', 'false'], {
    default: 'true',
    description: 'false: do not look for a request that works',
    examples: ['false'],
  }),
}
const CheckState = ResponseObject({
  id: Type.String({ description: 'Name of the check', examples: ['question_unanswered'] }),
  text: Type.String({ description: 'What must be so', examples: ['The question has no answer yet'] }),
  state: OneOf(['passed', 'failed', 'not_reached'], { description: 'Result', examples: ['failed'] }),
  field: NullableText('The parameter or member that it is about', 'question_id'),
})

const RuleText = ResponseObject(
  {
    id: Type.String({ description: 'Its id in docs/spec', examples: ['questions.error.not_unanswered'] }),
    text: Type.String({ description: 'Its text, in English; Markdown' }),
    page: Type.String({ description: 'The file that has it', examples: ['docs/spec/questions.md'] }),
    sources: Type.Array(OneOf(['documented', 'observed', 'assumed'], { description: 'Where it comes from' }), {
      description: 'Where it comes from',
    }),
  },
  { title: 'Rule', description: 'A rule of the specification' },
)

const AssumptionValue = Nullable(
  ResponseObject({
    name: Type.String({ description: 'Name of the assumption', examples: ['contacts.auth'] }),
    value: Type.String({ description: 'Its value in the world', examples: ['required'] }),
    values: Nullable(Type.Array(Type.String()), {
      description: 'The values that it can have; null: it cannot be changed',
    }),
  }),
  { description: 'The assumption behind the rule; null: there is none' },
)

const Field = Nullable(
  ResponseObject({
    name: Type.String({ description: 'Name; of a nested member, its path', examples: ['question_id'] }),
    in: OneOf([...PLACES], { description: 'Where it belongs', examples: ['body'] }),
    received: NullableText(
      'What was sent: a text as it is, other values as JSON, without secrets; null: nothing',
      '13000000001',
    ),
    allowed: NullableText('What its schema allows', 'an integer'),
    values: Type.Array(Type.String(), {
      description: 'Values that are allowed, or exist in the world: at most 10, the best first',
    }),
  }),
  { description: 'The parameter or member that is wrong; null: it is none, or not one alone' },
)

const Change = ResponseObject(
  {
    kind: OneOf(['replace', 'add', 'remove', 'token', 'body'], {
      description: 'What is changed',
      examples: ['replace'],
    }),
    in: Nullable(OneOf([...PLACES], { description: 'Place' }), {
      description: 'Where; null for other changes than those of a field',
    }),
    name: NullableText('Name of the field'),
    from: NullableText('Before, as text'),
    to: NullableText('After, as text'),
  },
  { description: 'What is changed' },
)

export type Change = Static<typeof Change>

const Headers = Type.Record(Type.String(), Type.String(), {
  description: 'Its headers; in the place of a token stands whose it is',
})
const Fix = Nullable(
  ResponseObject({
    text: Type.String({ description: 'What would have worked, as a sentence' }),
    change: Change,
    request: ResponseObject(
      {
        method: Type.String({ description: 'Method', examples: ['POST'] }),
        path: Type.String({ description: 'Path and query', examples: ['/answers'] }),
        headers: Headers,
        body: NullableText('Body; secrets are replaced by what they are, in braces'),
      },
      { description: 'The request' },
    ),
    status: Type.Integer({ description: 'Its answer', examples: [200] }),
  }),
  {
    description:
      'The request with the one thing changed that the check names. It was sent to a copy of the world as it is now, without its fault rules, and was accepted; the copy was discarded. null: see `no_fix`',
  },
)
const NoFix = Nullable(
  ResponseObject({
    reason: OneOf([...NO_FIX], { description: 'Reason', examples: ['none_found'] }),
    text: Type.String({ description: 'The reason as a sentence' }),
  }),
  { description: 'Why there is no fix; null: there is one, or nothing was refused' },
)

export const Explanation = ResponseObject(
  {
    request: ResponseObject(
      {
        id: Nullable(Type.Integer(), { description: 'Number of the request; null: it was not recorded' }),
        method: NullableText('Method'),
        path: NullableText('Path'),
        status: Nullable(Type.Integer(), { description: 'Status of the answer; null: there was none' }),
        error: NullableText('Code of the error', 'not_unanswered_question'),
        message: NullableText('Message of the error'),
      },
      { description: 'The request and its answer' },
    ),
    refused: Type.Boolean({ description: 'Whether it was answered with an error' }),
    text: Type.String({ description: 'What happened, in a sentence or two' }),
    checks: Type.Array(CheckState, { description: 'The checks of such a call, in the order in which they run' }),
    order: Nullable(RuleText, {
      description: 'The rule that gives the order of the checks; null for calls without a route',
    }),
    check: NullableText('Id of the check that refused it; null: none', 'question_unanswered'),
    rule: Nullable(RuleText, { description: 'The rule that was violated; null: none' }),
    assumption: AssumptionValue,
    field: Field,
    fix: Fix,
    no_fix: NoFix,
    near_stubs: Type.Optional(
      Type.Array(NearStub, {
        description: 'The stubs that nearly match, the nearest first; at most 3. Absent if there are none',
      }),
    ),
  },
  { title: 'Explanation', description: 'Why a call was answered as it was' },
)
export type Explanation = Static<typeof Explanation>
