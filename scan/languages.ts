/** How comments and string literals are written in a language: sources of regular expressions. */
export interface Language {
  name: string
  extensions: string
  /** And what else is left out, such as regular expressions. */
  comments: string
  /** Pairs of the literal and of the variables in it: the first group of these that matches is the variable. */
  literals: readonly (readonly [literal: string, variable?: RegExp])[]
  /** Joins texts; `+` by default. */
  concat?: string
  /** What may be between literals that are one text. */
  adjacent?: string
}

const raw = String.raw
const C_COMMENTS = raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`
const REGEX = raw`(?<=[(,=:[!&|?{};]\s{0,9}|return )\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/`
const quoted = (quote: string) => raw`${quote}(?:\\[^]|[^${quote}\\\n])*${quote}`
const long = (quote: string) => raw`${quote}(?:\\[^]|[^${quote}\\])*${quote}`
const BRACED = raw`((?:[^{}]|\{[^{}]*\})*)\}`
const IN_BRACES = RegExp(raw`\{${BRACED}`, 'g')
const PYTHON = raw`(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted('"')}|${quoted("'")})`

const TEXT = `${quoted('"')}|${quoted("'")}`
const TEXT_BLOCK = raw`"""[^]*?(?:"""|$)`
const TEMPLATE = raw`\x60(?:\\[^]|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^\x60\\])*\x60`
const SCRIPT: Omit<Language, 'name' | 'extensions'> = {
  comments: `${C_COMMENTS}|${REGEX}`,
  literals: [[TEXT], [TEMPLATE, RegExp(raw`\$\{${BRACED}`, 'g')]],
}

const LANGUAGES: readonly Language[] = [
  { name: 'javascript', extensions: 'js jsx mjs cjs', ...SCRIPT },
  { name: 'typescript', extensions: 'ts tsx mts cts', ...SCRIPT },
  {
    ...{ name: 'python', extensions: 'py', comments: '#[^\\n]*', adjacent: raw`\s*` },
    literals: [[raw`(?<!\w)[rR]?[fF][rR]?${PYTHON}`, IN_BRACES], [raw`(?:(?<!\w)[rRbBuU]{1,2})?${PYTHON}`]],
  },
  {
    ...{ name: 'php', extensions: 'php', concat: raw`\.` },
    // Between `?>` and `<?` is text of the page.
    comments: raw`${C_COMMENTS}|#[^\n]*|(?:^(?!<\?)|\?>)[^]*?(?:<\?|$)`,
    literals: [[long("'")], [long('"'), /\{\$([^{}]*)\}|\$\{(\w+)\}|\$(\w+(?:->\w+|\[[^\]]*\])?)/g]],
  },
  {
    ...{ name: 'ruby', extensions: 'rb rake', concat: raw`(?:\+|<<)`, adjacent: raw`[ \t]*(?:\\\s*)?` },
    comments: raw`(?<![^\n])=begin[^]*?\n=end|#(?!\{)[^\n]*|${REGEX}`,
    literals: [[quoted("'")], [long('"'), RegExp(raw`#\{${BRACED}`, 'g')]],
  },
  { name: 'go', extensions: 'go', comments: C_COMMENTS, literals: [[raw`${TEXT}|\x60[^\x60]*\x60`]] },
  { name: 'java', extensions: 'java', comments: C_COMMENTS, literals: [[`${TEXT_BLOCK}|${TEXT}`]] },
  {
    ...{ name: 'csharp', extensions: 'cs', comments: C_COMMENTS },
    literals: [[raw`\$@?${quoted('"')}`, IN_BRACES], [raw`${TEXT_BLOCK}|@"(?:[^"]|"")*"|${TEXT}`]],
  },
]

const BY_EXTENSION = new Map(LANGUAGES.flatMap((one) => one.extensions.split(' ').map((name) => [name, one])))

export const languageOf = (file: string): Language | undefined =>
  BY_EXTENSION.get(/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '')
