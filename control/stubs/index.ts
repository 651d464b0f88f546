import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { refreshStubs, type World } from '../../db/world.ts'
import { controlCall, NoContent, Page, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { IdInPath } from '../../domains/shared/schemas.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import { builtIn } from './built_in.ts'
import { misses, readStubs } from './nearest.ts'
import { addStub, type CountedStub, deleteStub, deleteStubs, stubById, stubPage, updateStub } from './operations.ts'
import { checkEmulated, checkTotals, readAnswer, readMatch } from './read.ts'
import { config, NewStub, present, Stub, StubChange } from './schemas.ts'
import { shadowedStubs } from './shadowed.ts'

interface StubOptions {
  journals: Journals
  /** Those of the emulated API. */
  paths: Paths
}

/** Lazy: most worlds have no templates. */
const templateMembers = () => import('./template_members.ts')

const stubNotFound = (id: unknown) => notFound(`Stub ${id} not found`)
const params = Type.Object({
  id: IdInPath('Number of the stub', 1, stubNotFound, { minimum: 1 }),
})

/** Creates a stub. Throws 400 or 409 with the name of the invalid member. */
async function createStub(
  world: World,
  paths: Paths,
  { id, match, answer, times = null, order = 0, override = false, access = 'public', proposed }: NewStub,
): Promise<CountedStub> {
  const parsedMatch = readMatch(match)
  await paths.complete()
  checkEmulated(paths, parsedMatch, override)
  const stub = { ...parsedMatch, id, answer: await readAnswer(answer), times, order, override, access, proposed }
  if (stub.answer.template) (await templateMembers()).checkMembers(stub.answer, stub.path)
  return world.tx(async (q) => {
    const created = await addStub(q, stub)
    await checkTotals(q)
    return created
  })
}

/** Changes a stub. Throws 400 with the name of the invalid member, 404 or 409. */
async function changeStub(
  world: World,
  paths: Paths,
  id: number,
  { match, answer, ...fields }: StubChange,
): Promise<CountedStub> {
  const parsedAnswer = answer && (await readAnswer(answer))
  const { checkMembers } = await templateMembers()
  await paths.complete()
  return world.tx(async (q) => {
    const present = await stubById(q, id)
    if (!present) throw stubNotFound(id)
    const { query, body, ...rest } = present
    const kept = match ? readMatch(match) : { query, body }
    const changed = { ...rest, ...kept, ...fields, ...(parsedAnswer && { answer: parsedAnswer }) }
    checkEmulated(paths, changed, changed.override)
    if (match || parsedAnswer) checkMembers(changed.answer, changed.path)
    const updated = await updateStub(q, changed)
    await checkTotals(q)
    return updated
  })
}

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stubs',
    controlCall(viewable(config), {
      summary: 'List the stubs in the order in which they are matched',
      querystring: Type.Object(PagingQuery),
      answer: Page(Stub, 'Stubs'),
    }),
    async ({ world, query: { limit, offset } }) => {
      const { total, stubs } = await stubPage(world.read, { limit, offset })
      const shadowed = shadowedStubs(await readStubs(world))
      return { paging: { total, limit, offset }, results: stubs.map((stub) => present(stub, shadowed)) }
    },
  )

  app.get(
    '/stubs/:id',
    controlCall(viewable(config), { summary: 'Read a stub with its count', params, answer: Stub }),
    async ({ world, params: { id } }) => {
      const stub = await stubById(world.read, id)
      if (!stub) throw stubNotFound(id)
      return present(stub, shadowedStubs(await readStubs(world)))
    },
  )
}

const changes: FastifyPluginAsyncTypebox<StubOptions> = async (app, { paths }) => {
  app.post(
    '/stubs',
    controlCall(config, {
      summary: 'Create a stub',
      description:
        'A stub answers calls that the emulated API does not have or answers without state; with `override` also those that it has. Faults, worlds, JSONP, `attributes` and CORS are as in other calls. Templates are logic-less Mustache: `method`, `path`, `params`, `query`, `headers` and `body` of the call, `now`, `now_ms` and `date` of the world, `hit` (the number of this answer), and `user`, `item` and `question`, found by the ids in the path, the query or the body. Stubs are part of the world: reset and restore revert them.',
      body: NewStub,
      created: Stub,
    }),
    async ({ world, body }, reply) => {
      const stub = await createStub(world, paths, body)
      await refreshStubs(world)
      return reply.code(201).send(present(stub, shadowedStubs(await readStubs(world))))
    },
  )

  app.patch(
    '/stubs/:id',
    controlCall(config, {
      summary: 'Change a stub',
      description: 'Its count continues.',
      params,
      body: StubChange,
      answer: Stub,
      errors: [409],
    }),
    async ({ world, params: { id }, body }) => {
      const stub = await changeStub(world, paths, id, body)
      await refreshStubs(world)
      return present(stub, shadowedStubs(await readStubs(world)))
    },
  )

  app.delete(
    '/stubs',
    controlCall(config, { summary: 'Delete all stubs', answer: NoContent }),
    async ({ world }, reply) => {
      await world.tx(deleteStubs)
      await refreshStubs(world)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/stubs/:id',
    controlCall(config, { summary: 'Delete a stub', params, answer: NoContent }),
    async ({ world, params: { id } }, reply) => {
      if ((await world.tx((q) => deleteStub(q, id))) === 0) throw stubNotFound(id)
      await refreshStubs(world)
      return reply.code(204).send(null)
    },
  )
}

/** Answers of the world's own to calls that the emulated API does not have. */
const stubs: FastifyPluginAsync<StubOptions> = async (app, options) => {
  await reads(app, {})
  await builtIn(app, options)
  await misses(app, options)
  await changes(app, options)
}
export default stubs
