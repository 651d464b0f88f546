import type { World } from '../../db/world.ts'
import { testItemById } from '../../domains/credits/test_subject_queries.ts'
import { answerItem } from '../../domains/items/present.ts'
import { itemById } from '../../domains/items/queries.ts'
import { presentQuestion } from '../../domains/questions/present.ts'
import { countAnsweredQuestions, questionById } from '../../domains/questions/queries.ts'
import { presentUser } from '../../domains/users/present.ts'
import { userById } from '../../domains/users/queries.ts'
import { reputationOf } from '../../domains/users/reputation_queries.ts'
import type { Caller } from '../../http/fastify_types.ts'
import type { AnsweredCall, ReadWorldValue } from '../../http/stubs/answers.ts'
import type { WorldValue } from '../../http/stubs/templates.ts'

type Call = AnsweredCall & { caller: Caller | undefined }

/** The values of the world that templates use, as the emulated API shows them. */
const READERS: Record<WorldValue, (world: World, call: Call) => Promise<object | undefined>> = {
  async user({ read, clock }, call) {
    const id = numberIn(call, ['user_id', 'seller_id', 'buyer_id', 'user', 'seller', 'buyer']) ?? call.caller?.user_id
    const row = id === undefined ? undefined : await userById(read, id)
    return row && presentUser(row, await reputationOf(read, clock.hour(), row.id))
  },
  async item(world, call) {
    const id = textIn(call, ['item_id', 'item', 'id'], /^[A-Z]{3}\d{1,16}$/)
    const row =
      id === undefined ? undefined : ((await itemById(world.read, id)) ?? (await testItemById(world.read, id)))
    return row && answerItem(world, row)
  },
  async question({ read }, call) {
    const id = numberIn(call, ['question_id', 'question', 'id'])
    const row = id === undefined ? undefined : await questionById(read, id)
    return row && presentQuestion(row, await countAnsweredQuestions(read, row))
  },
}

export const readWorldValue: ReadWorldValue = (name, { world, ...call }) => READERS[name](world, call)

function numberIn(call: Call, names: string[]): number | undefined {
  const text = textIn(call, names, /^\d{1,15}$/)
  return text === undefined ? undefined : Number(text)
}

/** The first text of this form that the path, the query or the body has under one of these names. */
function textIn({ params, query, body }: Call, names: string[], form: RegExp): string | undefined {
  return [params, query, body]
    .flatMap((members) => names.map((name) => (isObject(members) && Object.hasOwn(members, name) ? members[name] : '')))
    .map((value) => (typeof value === 'number' ? String(value) : value))
    .find((value): value is string => typeof value === 'string' && form.test(value))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
