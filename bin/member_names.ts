import type { ClientCommand } from '../domains/shared/commands.ts'
import { longFlagName } from './settings.ts'

/**
 * An error of the server with the flag or argument that was typed in place of the member that the call has:
 * `date_created: must …` becomes `--at: must …`.
 */
export function nameTypedFlag(message: string, command: ClientCommand): string {
  const [place = '', member = ''] = /^([a-z_]\w*(?:[.[][\w.[\]]*)?): /.exec(message) ?? []
  const typed = findTyped(member.split(/[.[\]]+/).filter(Boolean), command)
  return typed === undefined ? message : `${typed}: ${message.slice(place.length)}`
}

function findTyped(path: string[], { args = [], flags = [], members = {} }: ClientCommand): string | undefined {
  const given = new Map<string, string>([
    ...args.map(([name]): [string, string] => [/\w[\w-]*/.exec(name)![0], name]),
    ...flags.map((flag): [string, string] => [longFlagName(flag.flags), `--${longFlagName(flag.flags)}`]),
  ])
  // A part of the value follows: `--override limit_ms`.
  const nameFrom = (n: number, name: string) => [name, path.slice(n + 1).join('.')].join(' ').trimEnd()
  const declared = path.findIndex((part) => Object.hasOwn(members, part))
  if (declared !== -1) return nameFrom(declared, members[path[declared]!]!)
  for (const [n, part] of path.entries()) {
    const found = given.get(part.replaceAll('_', '-')) ?? given.get(part.replace(/_id$/, ''))
    if (found !== undefined) return nameFrom(n, found)
  }
  return undefined
}
