import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { realNow } from '../../db/clock.ts'

/** The header of a request that one node of a cluster has sent to another. */
export const SENT_ON_HEADER = 'x-mercadito-sent-on'

/** Ms after which a signed request is no longer accepted. */
const MAX_AGE_MS = 60_000

const FORM = /^(?<node>[\w-]{1,64}) (?<world>\d{1,9}) (?<times>\d) (?<time>\d{1,15}) (?<mac>[\w-]{43})$/

/** What the header says. */
interface SentOn {
  /** The node that has sent the request. */
  node: string
  /** The world that the receiver owns. */
  world: number
  /** How often the request was sent on. */
  times: number
}

/** The request line as the client has sent it. */
export interface SentLine {
  method: string
  target: string
}

/** The header for a request with this line; it is valid for a minute. */
export function signSentOn(key: KeyObject, line: SentLine, { node, world, times }: SentOn): string {
  const signed = `${node} ${world} ${times} ${realNow()}`
  return `${signed} ${macOf(key, line, signed).toString('base64url')}`
}

/** Undefined if the header was not signed with the key for this line, within the last minute. */
export function readSentOn(key: KeyObject, line: SentLine, header: string): SentOn | undefined {
  const { node, world, times, time, mac } = FORM.exec(header)?.groups ?? {}
  if (mac === undefined) return undefined
  const signed = header.slice(0, -mac.length - 1)
  if (!timingSafeEqual(macOf(key, line, signed), Buffer.from(mac, 'base64url'))) return undefined
  if (Math.abs(realNow() - Number(time)) > MAX_AGE_MS) return undefined
  return { node: node!, world: Number(world), times: Number(times) }
}

/** No part of a request head contains a line break. */
const macOf = (key: KeyObject, { method, target }: SentLine, signed: string): Buffer =>
  createHmac('sha256', key).update(`${method}\n${target}\n${signed}`).digest()
