import type { SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback, parseIpAddress } from './ip_addresses.ts'

/** The address of a listening server: an IP address, or the unspecified one for every interface of this machine. */
export interface ListenAddress {
  address: string
  port: number
}

/** Whether a connection to an address and port arrives at one of these. */
export const connectsToAny = (address: SocketAddress, port: number, listeners: ListenAddress[]): boolean => {
  const target = effectiveAddress(address)
  return listeners.some((listener) => {
    if (listener.port !== port) return false
    const listenAddress = parseIpAddress(listener.address)?.address
    // `::` accepts both families, `0.0.0.0` its own.
    if (listenAddress === '::') return isOwnInterface(target)
    if (listenAddress === '0.0.0.0') return target.family === 'ipv4' && isOwnInterface(target)
    return listenAddress === target.address
  })
}

const LOOPBACK_OF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address that the system connects to: the IPv4 address of a mapped one, loopback for an unspecified one. */
function effectiveAddress({ address }: SocketAddress): SocketAddress {
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  return parseIpAddress(LOOPBACK_OF[unmapped] ?? unmapped)!
}

/** Read at every call: interfaces come and go. */
const isOwnInterface = (target: SocketAddress) =>
  isLoopback(target) ||
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => parseIpAddress(address)!.address === target.address)
