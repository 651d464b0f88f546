import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SWITCHES } from '../domains/assumptions.ts'
import { DOMAINS } from '../domains/index.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const NOTICE = '// Made by `npm run openapi` from domains/index.ts; changes here are lost.\n'

/** The modules that are generated from the roster, by path. */
export const modules = (): Record<string, string> => ({
  'bin/domains.ts': commandLine(),
  'domains/shared/topics.ts': topics(),
})

/** The topics of all domains. Z to A, whatever the order of domains: worlds store lists of topics in this order. */
const topics = () => `${NOTICE}
/** All topics of events. */
export const TOPICS = [${DOMAINS.flatMap((domain) => domain.topics)
  .sort()
  .reverse()
  .map((topic) => `'${topic}'`)
  .join(', ')}] as const
export type Topic = (typeof TOPICS)[number]
`

const WITH_COMMANDS = DOMAINS.filter(({ commands }) => commands).map(({ name }) => name)

/** What the command line needs of the domains: loading them would double the time of every command. */
const commandLine =
  () => `${NOTICE}${WITH_COMMANDS.map((name) => `import ${name} from '../domains/${name}/commands.ts'\n`).join('')}import type { CommandSet } from '../domains/shared/commands.ts'

/** The commands of all domains. */
export const COMMANDS: readonly CommandSet[] = [${WITH_COMMANDS.join(', ')}]

/** The values of all switches, each with its default first. */
export const SWITCHES = {
${Object.entries(SWITCHES)
  .map(([name, values]) => `  '${name}': [${values.map((value) => `'${value}'`).join(', ')}],\n`)
  .join('')}}
`

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(modules()))
    if (readFileSync(at(path), 'utf8') !== text) writeFileSync(at(path), text)
