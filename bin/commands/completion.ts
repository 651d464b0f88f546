import { type Command, Argument as Word } from 'commander'
import { examples } from '../command.ts'
import type { Terminal } from '../failure.ts'
import { json } from '../output.ts'
import { JSON_OUT, optionOf } from '../settings.ts'

/** What may follow a command: its members and flags. The program itself is ''. */
interface Place {
  after: string
  words: string[]
}

/** One branch for each place; `as` writes its words. */
const branches = (places: Place[], as: (words: string[]) => string): string =>
  places.map(({ after, words }) => `    '${after}') ${as(words)} ;;`).join('\n')

/** Goes through the words before the cursor and keeps in `place` the command that they name. */
const walk = (before: string, places: Place[]): string => `  local word place=''
  for word in ${before}; do
    case "\${place:+$place }$word" in
      ${places
        .filter(({ after }) => after !== '')
        .map(({ after }) => `'${after}'`)
        .join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`

const SCRIPTS: Record<string, (places: Place[]) => string> = {
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
  const placed = program
    .command('completion')
    .description('Print what makes a shell complete the commands and flags')
    .addArgument(new Word('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .allowExcessArguments(false)
    .addOption(optionOf(JSON_OUT))
  examples(placed, [
    'completion bash > ~/.local/share/bash-completion/completions/mercadito',
    'completion zsh > ~/.zsh/completions/_mercadito',
    'completion fish > ~/.config/fish/completions/mercadito.fish',
  ])
  placed.action((shell: string) => {
    const script = SCRIPTS[shell]!(placesOf(program))
    terminal.out(placed.opts().json ? `${json({ shell, script })}\n` : script)
  })
}

function placesOf(command: Command, after = ''): Place[] {
  const visible = command.createHelp()
  const below = visible.visibleCommands(command)
  const flags = visible.visibleOptions(command).flatMap(({ long }) => long ?? [])
  return [
    { after, words: [...below.map((one) => one.name()), ...flags] },
    ...below
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => placesOf(one, after === '' ? one.name() : `${after} ${one.name()}`)),
  ]
}
