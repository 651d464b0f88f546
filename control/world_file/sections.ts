import type { WorldFileList, WorldFileSection } from '../../domains/world_file.ts'
import { WORLD_FILES } from '../../domains/world_files.ts'
import { worldFile as faults } from '../faults/world_file.ts'
import { worldFile as stubs } from '../stubs/world_file.ts'

type Sections = ReadonlyMap<string, WorldFileSection>

/**
 * Orders sections so that each comes after those that it names in `after`, otherwise as they are given. Throws an Error
 * for an unknown name or a cycle.
 */
export function orderSections(sections: Sections): WorldFileSection[] {
  const ordered = new Map<string, WorldFileSection>()
  const isNext = ([name, { after }]: [string, WorldFileSection]) =>
    !ordered.has(name) && after.every((other) => ordered.has(other))
  while (ordered.size < sections.size) {
    const next = [...sections].find(isNext)
    if (!next)
      throw new Error(
        `World file sections after a missing one, or in a cycle: ${[...sections.keys()].filter((name) => !ordered.has(name))}`,
      )
    ordered.set(...next)
  }
  return [...ordered.values()]
}

/** All sections in the order of the file and of an import: the domains' first, then those of the control plane. */
export const SECTIONS = [...orderSections(new Map(Object.entries(WORLD_FILES))), faults, stubs]

/** The lists of a file by name, in their order. */
export const LISTS: ReadonlyMap<string, WorldFileList> = new Map(SECTIONS.flatMap(({ lists }) => Object.entries(lists)))
