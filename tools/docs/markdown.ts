import { parse } from 'yaml'

/** A fenced code block. */
interface Block {
  /** Language after the fence, such as `sh`. */
  lang: string
  text: string
  /** HTML comments on the lines before it: `<!-- needs: php -->` is `needs` → `php`. */
  marks: Record<string, string>
}

const FENCED = /((?:^<!-- [^\n]+ -->\n)*)^```(\w*)\n(.*?)^```$/gms

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(FENCED)].map(([, comments, lang, body]) => ({
    lang: lang!,
    text: body!,
    marks: Object.fromEntries(
      [...comments!.matchAll(/^<!-- ([\w ]+): (.+) -->$/gm)].map(([, name, value]) => [name!, value!]),
    ),
  }))

/** The commands of a block: its lines, or in YAML those of the steps (`run`) and jobs (`script`) of a CI service. */
export function commandsOf({ lang, text }: Pick<Block, 'lang' | 'text'>): string[] {
  if (lang === 'yaml') return scriptsOf(parse(text)).flatMap((script) => script.trim().split('\n'))
  return lang === 'sh' ? text.trim().split('\n') : []
}

function scriptsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => {
    const scripts = name === 'run' || name === 'script' ? [value].flat() : []
    return scripts.some((one) => typeof one === 'string') ? scripts : scriptsOf(value)
  })
}

/** The text of a page without blocks and names of code. */
export const withoutCode = (text: string): string => text.replace(FENCED, '').replace(/`[^`\n]+`/g, '')

/** Targets of all links except web addresses. */
export const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!).filter((one) => !/^\w+:/.test(one))

/** Files of all `<img>` and `<source>`. */
export const picturesOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/<(?:img|source) [^>]*\bsrc(?:set)?="([^"]+)"/g)].map(([, path]) => path!)

/** Anchors of the headings, as GitHub generates them. */
export const anchorsOf = (text: string): string[] =>
  [...text.replace(FENCED, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
