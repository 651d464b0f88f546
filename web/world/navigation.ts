import { computed, signal } from '@preact/signals'
import { type Address, formatAddress, parseAddress } from './address.ts'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The present address; components that read it render again when it changes. */
export const address = computed<Address>(() => parseAddress(hash.value))

/** Opens an address such as `#/requests/17`, so that "back" returns here. */
export const go = (target: string): void => {
  location.hash = target
}

/** Changes the query of the present address; typing into a filter must not fill the history. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const { screen, path, query } = address.peek()
  replace(formatAddress(screen, path, { ...query, ...changes }))
}

/** Gives an address that has another name of a screen the proper one, unless the person went on meanwhile. */
export function correctScreen(from: string, to: string): void {
  const { screen, path, query } = address.peek()
  if (screen === from && from !== to) replace(formatAddress(to, path, query))
}

/** Opens or, without an id, closes a detail beside a list: the filters stay. */
export function openDetail(...path: (string | number)[]): void {
  const { screen, query } = address.peek()
  go(formatAddress(screen, path, query))
}

function replace(target: string): void {
  history.replaceState(null, '', target)
  hash.value = location.hash
}
