import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Disk, DiskFailure } from '../../db/disk.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { Worlds } from '../../db/worlds.ts'
import { readDuration } from '../../domains/shared/durations.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import type { Traffic } from '../../http/connections/traffic.ts'
import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { controlError } from '../../http/errors/control_errors.ts'
import { config as SERVICE } from './server.ts'

/** With what the paths of operators begin, also that of metrics. */
export const SERVICE_PATHS = ['livez', 'readyz', 'metrics']

/** Limit of `wait`. */
const MAX_WAIT_MS = 60_000
/** Ms between two checks. */
const POLL_INTERVAL_MS = 50

const StatusResponse = (state: string, description: string) =>
  ResponseObject({ status: Type.Literal(state) }, { title: `${state[0]!.toUpperCase()}${state.slice(1)}`, description })

interface HealthOptions {
  worlds: Worlds
  traffic: Traffic
  disk: Disk
}

/** Liveness and readiness for operators. These calls need no token and no world, and are not recorded. */
const health: FastifyPluginAsyncTypebox<HealthOptions> = async (app, options) => {
  const config = { ...SERVICE, health: true }
  const readiness = createReadiness(options)
  // Pending calls answer at once when the server stops.
  app.addHook('preClose', (done) => {
    readiness.stop()
    done()
  })

  app.get(
    '/livez',
    {
      config,
      schema: {
        summary: 'Liveness',
        description: 'Answers 200 while the process answers.',
        response: { 200: StatusResponse('live', 'The process answers'), ...errorResponses(503) },
      },
    },
    async () => ({ status: 'live' as const }),
  )

  app.get(
    '/readyz',
    {
      config,
      schema: {
        summary: 'Readiness',
        description:
          'Whether the server accepts requests and can read its default world. 503 while there are too many requests, while the disk is full, after an error of the disk until a probe can write to it, after the disk failed to store the commits of a world (which the message names), and while it stops. Where servers share their worlds: while the database cannot be reached, and while another server has the default world and cannot be reached; before it is ready it does not listen.',
        querystring: Type.Object({
          wait: Type.Optional(
            Type.String({
              pattern: '^(\\d{1,5}ms|\\d{1,2}s)$',
              description: 'Wait at most this long for the server to become ready; at most 60s',
              examples: ['10s', '500ms'],
              'x-message': 'must be such as 10s or 500ms, at most 60s',
            }),
          ),
        }),
        response: { 200: StatusResponse('ready', 'It serves'), ...errorResponses(400, 503) },
      },
    },
    async ({ query: { wait = '0s' }, raw }) => {
      const error = await readiness.wait(readWait(wait), () => raw.destroyed)
      if (error) throw error
      return { status: 'ready' as const }
    },
  )
}
export default health

function createReadiness({ worlds, traffic, disk }: HealthOptions) {
  const pendingWaits = new Set<() => void>()
  let stopping = false

  /** Resolves when the server is ready, or with the reason why it is not: after `ms`, at its stop, or if `isGone`. */
  async function wait(ms: number, isGone: () => boolean): Promise<AnsweredError | undefined> {
    const deadline = performance.now() + ms
    for (;;) {
      const error = await check()
      if (!error || stopping || isGone() || performance.now() >= deadline) return error
      await waitForPoll()
    }
  }

  async function check(): Promise<AnsweredError | undefined> {
    if (stopping) return notReady('stopping', 'The server is stopping.')
    if (traffic.isOverloaded()) return notReady('overloaded', 'The server is overloaded.')
    const failure = await disk.failure()
    if (failure) return notReady(`disk_${failure}`, DISK_FAILURES[failure])
    const unready = await worlds.unready()
    return unready && notReady(unready.code, unready.message)
  }

  function waitForPoll(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        pendingWaits.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, POLL_INTERVAL_MS)
      pendingWaits.add(wake)
    })
  }

  return {
    wait,
    stop(): void {
      stopping = true
      for (const wake of pendingWaits) wake()
    },
  }
}

const DISK_FAILURES: Record<DiskFailure, string> = {
  full: 'The disk is full: writes get 507 until there is space. Reads are answered.',
  failed: 'The disk failed: writes get 500 until it can be written again.',
}

const notReady = (error: string, message: string) => controlError(503, error, message, { 'retry-after': '1' })

const readWait = (text: string): number => Math.min(readDuration(text)!, MAX_WAIT_MS)
