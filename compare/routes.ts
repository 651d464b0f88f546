import { readAsset } from '../db/assets.ts'

/** A path of the emulated API with the values of its parameters. */
export interface Route {
  /** As in the OpenAPI document: `/items/{item_id}`. */
  template: string
  params: Record<string, string>
  /** In upper case. */
  methods: ReadonlySet<string>
}

export type FindRoute = (path: string) => Route | undefined

/** Finds the paths of the emulated API; fixed segments win over parameters. */
export function createFindRoute(): FindRoute {
  const { paths } = JSON.parse(readAsset('openapi.json').toString()) as { paths: Record<string, object> }
  const isParameter = (segment: string) => segment.startsWith('{')
  const fixedFirst = (template: string) =>
    template
      .split('/')
      .map((segment) => (isParameter(segment) ? '1' : '0'))
      .join('')
  const templates = Object.entries(paths)
    .map(([template, operations]) => ({
      template,
      segments: template.split('/'),
      methods: new Set(Object.keys(operations).map((method) => method.toUpperCase())),
    }))
    .sort((a, b) => (fixedFirst(a.template) < fixedFirst(b.template) ? -1 : 1))
  return (path) => {
    const sent = path.split('/')
    const found = templates.find(
      ({ segments }) =>
        segments.length === sent.length && segments.every((segment, n) => isParameter(segment) || segment === sent[n]),
    )
    if (!found) return undefined
    const { template, segments, methods } = found
    const params = segments.flatMap((segment, n) => (isParameter(segment) ? [[segment.slice(1, -1), sent[n]!]] : []))
    return { template, methods, params: Object.fromEntries(params) }
  }
}
