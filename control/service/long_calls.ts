import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlCall, viewable } from '../../domains/shared/control_schemas.ts'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { config } from './server.ts'

/** A control call that may take minutes. */
interface LongCall {
  operation: 'simulate' | 'backup' | 'restore'
  /** Null: all worlds. */
  world: number | null
  unit: 'days' | 'bytes'
  total: number
  /** Called when the progress is read. */
  done: () => number
}

/** The long calls in flight. */
export class LongCalls {
  readonly #startTimes = new Map<LongCall, number>()

  /** Lists a call until its work has ended. */
  async track<A>(call: LongCall, work: () => Promise<A>): Promise<A> {
    this.#startTimes.set(call, performance.now())
    try {
      return await work()
    } finally {
      this.#startTimes.delete(call)
    }
  }

  /** In the order of their starts; `ms` is real time. */
  list() {
    return [...this.#startTimes].map(([{ operation, world, unit, total, done }, startedAt]) => ({
      operation,
      world,
      unit,
      // The total may be an estimate.
      done: Math.min(done(), total),
      total,
      ms: Math.round(performance.now() - startedAt),
    }))
  }
}

const Progress = ResponseObject(
  {
    operation: OneOf(['simulate', 'backup', 'restore'], { description: 'The call', examples: ['simulate'] }),
    world: Nullable(Type.Integer({ description: 'Its world; null: all', examples: [1] })),
    unit: OneOf(['days', 'bytes'], { description: 'Unit of `done` and `total`', examples: ['days'] }),
    done: Type.Number({ description: 'Amount that is done', examples: [12.5] }),
    total: Type.Number({ description: 'Whole amount', examples: [30] }),
    ms: Type.Integer({ description: 'Real time since the call, ms', examples: [2500] }),
  },
  { title: 'Progress', description: 'A call in flight' },
)

export const progress: FastifyPluginAsyncTypebox<{ longCalls: LongCalls }> = async (app, { longCalls }) => {
  app.get(
    '/progress',
    controlCall(viewable(config), {
      summary: 'Progress of long calls',
      description: 'The simulations, backups and restores of snapshots in flight, of all worlds.',
      answer: ResponseObject(
        { results: Type.Array(Progress) },
        { title: 'ProgressList', description: 'Calls in flight, in the order of their starts' },
      ),
    }),
    async () => ({ results: longCalls.list() }),
  )
}
