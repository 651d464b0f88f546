import { networkInterfaces } from 'node:os'
import { type IpAddress, isLoopback, isWithin, parseCidrBlock, parseIpAddress } from './ip_addresses.ts'

/** Where a server listens: an IP address, or the unspecified one for all of this machine. */
export interface ListenAddress {
  address: string
  port: number
}

/** Whether a connection to an address and port arrives at one of these. */
export const connectsToAny = (address: IpAddress, port: number, listeners: ListenAddress[]): boolean => {
  const target = effectiveAddress(address)
  return listeners.some((listener) => {
    const listenAddress = listener.port === port && parseIpAddress(listener.address)
    if (!listenAddress) return false
    if (listenAddress.value !== 0n) return isSameAddress(listenAddress, target)
    // `::` takes both families, `0.0.0.0` its own.
    return (listenAddress.family === 6 || target.family === 4) && isOwnInterface(target)
  })
}

const IPV4_MAPPED = parseCidrBlock('::ffff:0:0/96')!

/** Where the system connects to when it is given an address. */
function effectiveAddress(address: IpAddress): IpAddress {
  const { family, value } = isWithin(address, IPV4_MAPPED)
    ? { family: 4 as const, value: address.value & 0xffff_ffffn }
    : address
  return value === 0n ? parseIpAddress(family === 4 ? '127.0.0.1' : '::1')! : { family, value }
}

const isSameAddress = (a: IpAddress, b: IpAddress) => a.family === b.family && a.value === b.value

/** Asked anew: interfaces come and go. */
const isOwnInterface = (at: IpAddress) =>
  isLoopback(at) ||
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => isSameAddress(parseIpAddress(address)!, at)),
  )
