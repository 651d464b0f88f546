import { fillPath, queryString } from '../../lib/urls.ts'
import type { HttpCall, Text } from './call.ts'

/** A command for a POSIX shell. */
export function curl({ method, url, headers, body, tokenVariable }: HttpCall): string {
  const isDefault = method === (body === null ? 'GET' : 'POST')
  return [
    `curl ${isDefault ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `}${quote(url)}`,
    ...(tokenVariable === null ? [] : [`-H "Authorization: Bearer $${tokenVariable}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote([`${name}: ${value}`])}`),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

interface ControlCall {
  call: string
  input: { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
}

/** A control call of the world at `base`. */
export function controlCurl({ call, input }: ControlCall, base: string, hasToken: boolean): string {
  const [method, path] = call.split(' ') as [string, string]
  return curl({
    method,
    url: [`${base}/_sandbox${fillPath(path, input.path)}${queryString(input.query)}`],
    headers: {},
    body: input.body === undefined ? null : [JSON.stringify(input.body)],
    tokenVariable: hasToken ? 'MERCADITO_ADMIN_TOKEN' : null,
  })
}

/** A command for the world at `base`. */
export const mercadito = (command: string, base: string): string => `npx mercadito ${command} --url ${base}`

const quote = (text: Text): string =>
  text
    .filter((part) => part !== '')
    .map((part) =>
      typeof part !== 'string'
        ? `"$${part.variable}"`
        : /^[\w./:@%+,=-]+$/.test(part)
          ? part
          : `'${part.replaceAll("'", `'\\''`)}'`,
    )
    .join('') || "''"
