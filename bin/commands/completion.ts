import { type Command, Argument as Word } from 'commander'
import { addExamples } from '../command.ts'
import type { Terminal } from '../errors.ts'
import { formatJson } from '../output.ts'
import { createOption, JSON_FLAG } from '../settings.ts'

/** What may follow a command: its members and flags. The program itself is ''. */
interface CompletionPoint {
  after: string
  words: string[]
}

/** One branch for each place; `as` writes its words. */
const branches = (places: CompletionPoint[], render: (words: string[]) => string): string =>
  places.map(({ after, words }) => `    '${after}') ${render(words)} ;;`).join('\n')

/** Goes through the words before the cursor and keeps in `place` the command that they name. */
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

export function addCompletion(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('completion')
    .description('Print what makes a shell complete the commands and flags')
    .addArgument(new Word('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .allowExcessArguments(false)
    .addOption(createOption(JSON_FLAG))
  addExamples(subcommand, [
    'completion bash > ~/.local/share/bash-completion/completions/mercadito',
    'completion zsh > ~/.zsh/completions/_mercadito',
    'completion fish > ~/.config/fish/completions/mercadito.fish',
  ])
  subcommand.action((shell: string) => {
    const script = SCRIPTS[shell]!(completionPoints(program))
    terminal.out(subcommand.opts().json ? `${formatJson({ shell, script })}\n` : script)
  })
}

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
