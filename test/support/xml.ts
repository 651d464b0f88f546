/** An element of an XML document; text is a child. */
export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

const TOKEN =
  /<\?xml version="1\.0" encoding="UTF-8"\?>\n|<(?<open>[\w-]+)(?<attributes>(?: [\w-]+="[^"<]*")*)(?<empty>\/?)>|<\/(?<close>[\w-]+)>|(?<text>[^<]+)/gy
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Parses the XML that reports consist of. Throws if it is not well-formed. */
export function parseXml(text: string): Element {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw new Error('not a character of XML')
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  let end = 0
  for (const { 0: token, index, groups } of text.matchAll(TOKEN)) {
    end = index + token.length
    const parent = open.at(-1)!
    if (groups!.text !== undefined) parent.children.push(decode(groups!.text))
    if (groups!.close !== undefined && open.pop()!.name !== groups!.close) throw new Error(`unexpected ${token}`)
    if (groups!.open === undefined) continue
    const attributes = [...groups!.attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      decode(value!),
    ])
    const element = { name: groups!.open, attributes: Object.fromEntries(attributes), children: [] }
    parent.children.push(element)
    if (groups!.empty === '') open.push(element)
  }
  if (end < text.length || open.length > 1) throw new Error(`not well-formed: ${text.slice(end, end + 40)}`)
  return root.children.find((child) => typeof child === 'object')!
}

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|(\w+))?;?/g, (entity, code?: string, name = '') => {
    if (!entity.endsWith(';')) throw new Error(`unescaped ${entity}`)
    const character = code === undefined ? ENTITIES[name] : String.fromCodePoint(Number.parseInt(code, 16))
    if (character === undefined) throw new Error(`unknown ${entity}`)
    return character
  })
