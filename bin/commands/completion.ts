import type { Command } from 'commander'
import { oneOf } from '../../domains/shared/commands.ts'
import { localCommand } from '../command.ts'

/** The subcommands and flags that may follow a command; '' is the program itself. */
interface CompletionPoint {
  after: string
  words: string[]
}

/** One branch of a `case` for each command. */
const branches = (places: CompletionPoint[], render: (words: string[]) => string): string =>
  places.map(({ after, words }) => `    '${after}') ${render(words)} ;;`).join('\n')

/** Sets `place` to the command that the words before the cursor name. */
const walk = (before: string, places: CompletionPoint[]): string => `  local word place=''
  for word in ${before}; do
    case "\${place:+$place }$word" in
      ${places
        .filter(({ after }) => after !== '')
        .map(({ after }) => `'${after}'`)
        .join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`

const SCRIPTS: Record<string, (places: CompletionPoint[]) => string> = {
  bash: (places) => `_mercadito() {
${walk('"\x24{COMP_WORDS[@]:1:COMP_CWORD-1}"', places)}
  local found=''
  case "$place" in
${branches(places, (words) => `found='${words.join(' ')}'`)}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mercadito mercadito
`,
  zsh: (places) => `#compdef mercadito
_mercadito() {
${walk('"\x24{(@)words[2,CURRENT-1]}"', places)}
  local -a found
  case "$place" in
${branches(places, (words) => `found=(${words.join(' ')})`)}
  esac
  compadd -a found || _files
}
compdef _mercadito mercadito
`,
  fish: (places) => `function __mercadito_words
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    if contains -- "$next" ${places
      .filter(({ after }) => after !== '')
      .map(({ after }) => `'${after}'`)
      .join(' ')}
      set place "$next"
    end
  end
  switch "$place"
${places.map(({ after, words }) => `    case '${after}'\n      printf '%s\\n' ${words.join(' ')}`).join('\n')}
  end
end
complete -c mercadito -a '(__mercadito_words)'
`,
}

export const addCompletion = localCommand({
  name: 'status completion',
  description: 'Print a script that completes commands and flags in a shell',
  args: [['<shell>', 'bash, zsh or fish', oneOf(...Object.keys(SCRIPTS))]],
  examples: [
    'status completion bash > ~/.local/share/bash-completion/completions/mercadito',
    'status completion zsh > ~/.zsh/completions/_mercadito',
    'status completion fish > ~/.config/fish/completions/mercadito.fish',
  ],
  run: ({ args: [shell], command }) => ({
    shell: shell as string,
    script: SCRIPTS[shell]!(completionPoints(command.parent!.parent!)),
  }),
  format: ({ script }) => script.trimEnd(),
})

function completionPoints(command: Command, after = ''): CompletionPoint[] {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command)
  const flags = help.visibleOptions(command).flatMap(({ long }) => long ?? [])
  return [
    { after, words: [...subcommands.map((one) => one.name()), ...flags] },
    ...subcommands
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => completionPoints(one, after === '' ? one.name() : `${after} ${one.name()}`)),
  ]
}
