import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Worlds } from '../../db/worlds.ts'
import { controlConfig } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { sendParts } from '../send_parts.ts'
import { openBaseState } from './base_state.ts'
import type { Line } from './format.ts'
import { journalLines } from './journal_recording.ts'

const config = controlConfig('Recordings', 'Calls with a state, to send them again')

interface Options {
  worlds: Worlds
  templates: Templates
  journals: Journals
}

const recording: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, templates, journals }) => {
  app.get(
    '/recording',
    {
      config,
      schema: {
        summary: 'The recorded requests with the state before them',
        description:
          'JSON lines for `mercadito requests replay`: a header, a state of the world (its start if the journal has every call, else the oldest automatic snapshot since which it has), attempts of notifications, and the calls, each with what of its answer can be compared: `whole`, `prefix`, `status` or `not`. Tokens, secrets and passwords are replaced by names. The state has all users of the world. Only a recording (`--record`) has whole calls.',
        response: {
          200: {
            description: 'JSON lines',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...errorResponses(404),
        },
      },
    },
    async ({ world }, reply) => {
      const journal = journals.of(world.generation)
      const base = await openBaseState(world, journal, { worlds, templates })
      worlds.retain(world)
      return sendParts(reply, 'application/x-ndjson; charset=utf-8', textOf(journalLines(world, journal, base)), () => {
        base.discard()
        worlds.release(world)
      })
    },
  )
}
export default recording

async function* textOf(lines: AsyncGenerator<Line>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}
