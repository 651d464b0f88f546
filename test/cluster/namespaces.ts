import { execFileSync } from 'node:child_process'
import type { Owner } from '../support/torture.ts'

/** Links of each of two namespaces with this machine, and between them, with addresses of the documentation network. */
const LINKS: { spaces: [number | null, number]; addresses: [string, string] }[] = [
  { spaces: [null, 0], addresses: ['198.51.100.1', '198.51.100.2'] },
  { spaces: [null, 1], addresses: ['198.51.100.1', '198.51.100.3'] },
  { spaces: [0, 1], addresses: ['198.51.100.4', '198.51.100.5'] },
]

/** The address of this machine for both namespaces. */
export const MACHINE = '198.51.100.1'
/** The addresses of the namespaces for this machine, and for each other. */
export const ADDRESSES = ['198.51.100.2', '198.51.100.3']
export const PEER_ADDRESSES = ['198.51.100.4', '198.51.100.5']

export interface Namespaces {
  names: string[]
  links: number[]
  setLink(link: number, state: 'up' | 'down'): void
}

/** Creates two network namespaces, until the end of the test. Needs root. */
export function createNamespaces(t: Owner): Namespaces {
  const names = [0, 1].map((n) => `mercadito-${process.pid}-${n}`)
  const ip = (...args: string[]) => {
    try {
      execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    } catch (error) {
      throw new Error(`network namespaces need Linux, root and iproute2: ${(error as Error).message}`)
    }
  }
  const inSpace = (space: number | null) => (space === null ? [] : ['-n', names[space]!])
  const device = (link: number, end: number) => `mc${process.pid}-${link}${end}`
  for (const name of names) {
    ip('netns', 'add', name)
    t.teardown(() => ip('netns', 'delete', name))
    ip('-n', name, 'link', 'set', 'lo', 'up')
  }
  for (const [link, { spaces, addresses }] of LINKS.entries()) {
    const [from, to] = spaces
    const peer = ['peer', 'name', device(link, 1), 'netns', names[to]!]
    ip(...inSpace(from), 'link', 'add', device(link, 0), 'type', 'veth', ...peer)
    // A namespace lives until its last connection ends.
    t.teardown(() => ip(...inSpace(from), 'link', 'delete', device(link, 0)))
    for (const [end, space] of spaces.entries()) {
      const address = [addresses[end]!, 'peer', `${addresses[1 - end]}/32`]
      ip(...inSpace(space), 'address', 'add', ...address, 'dev', device(link, end))
      ip(...inSpace(space), 'link', 'set', device(link, end), 'up')
    }
  }
  return {
    names,
    links: [...LINKS.keys()],
    // In the namespace: routes of this machine stay, so that no packet takes another one.
    setLink: (link, state) => ip('-n', names[LINKS[link]!.spaces[1]]!, 'link', 'set', device(link, 1), state),
  }
}
