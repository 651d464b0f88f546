import { networkInterfaces } from 'node:os'
import { type Address, isLoopback, isWithin, readAddress, readBlock } from './addresses.ts'

/** Where a server listens: an IP address, or the unspecified one for all of this machine. */
export interface Bound {
  address: string
  port: number
}

/** Whether a connection to an address and port arrives at one of these. */
export const arrivesAt = (address: Address, port: number, bound: Bound[]): boolean => {
  const at = reached(address)
  return bound.some((one) => {
    const listening = one.port === port && readAddress(one.address)
    if (!listening) return false
    if (listening.value !== 0n) return isSame(listening, at)
    // `::` takes both families, `0.0.0.0` its own.
    return (listening.family === 6 || at.family === 4) && isHere(at)
  })
}

const MAPPED = readBlock('::ffff:0:0/96')!

/** Where the system connects to when it is given an address. */
function reached(address: Address): Address {
  const { family, value } = isWithin(address, MAPPED)
    ? { family: 4 as const, value: address.value & 0xffff_ffffn }
    : address
  return value === 0n ? readAddress(family === 4 ? '127.0.0.1' : '::1')! : { family, value }
}

const isSame = (a: Address, b: Address) => a.family === b.family && a.value === b.value

/** Asked anew: interfaces come and go. */
const isHere = (at: Address) =>
  isLoopback(at) ||
  Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => isSame(readAddress(address)!, at)))
