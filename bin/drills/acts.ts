import { connect } from 'node:net'
import { path } from '../../domains/shared/commands.ts'
import { succeeded } from './calls.ts'
import type { DrillWorld } from './drill.ts'

// What drills do in the world.

export const seller = ({ world }: DrillWorld) => world.sellers[0]!
const buyer = ({ world }: DrillWorld) => world.buyers[0]!

/** A question of the demo’s first buyer about a listing of the first seller; its id. */
export async function ask(drill: DrillWorld, answer?: { text: string }): Promise<number> {
  const { results } = await drill.client.get('/items', { seller_id: seller(drill).id, status: 'active', limit: 1 })
  const question = { item_id: results[0].id, from: buyer(drill).id, text: '¿Hay stock?' }
  return (await drill.client.call('POST /questions', { ...question, ...(answer && { answer }) })).id
}

export const subscribe = (drill: DrillWorld, callback_url: string, overrides?: object) =>
  drill.client.call(path`PUT /applications/${drill.world.application.id}/notifications`, {
    ...{ callback_url, topics: ['questions'] },
    ...(overrides && { overrides }),
  })

/** Resolves when the program has made a call that succeeds; false if it ended before. */
export const untilItWorks = async (drill: DrillWorld): Promise<boolean> =>
  (await drill.next((call) => call.user_id !== null && succeeded(call))) !== undefined

/** Resolves when the program accepts connections for notifications; false if it ended before. */
export async function untilListening({ callback, until }: DrillWorld): Promise<boolean> {
  const { hostname, port, protocol } = new URL(callback!)
  const at = { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
  const listens = () =>
    new Promise<true | undefined>((resolve) => {
      const socket = connect(at, () => resolve(true)).on('error', () => resolve(undefined))
      socket.on('connect', () => socket.destroy())
    })
  return (await until(listens)) === true
}
