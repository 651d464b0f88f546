const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it is written in an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/** Whether a browser reads text of a content type as HTML or XML. */
export const isMarkup = (type: string): boolean =>
  /^\s*(text\/(html|xsl)|(text|application)\/xml|[\w.+-]+\/[\w.+-]+\+xml)\b/i.test(type)

/** JSON as a browser would read it with its content type: in markup nothing in it may begin a tag. */
export const jsonAs = (type: string | undefined, json: string): string =>
  type !== undefined && isMarkup(type)
    ? json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
    : json
