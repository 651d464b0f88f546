/** A schema as a route declares it. */
export interface Schema {
  /** The path of what an id is of, such as `/items/:id`. */
  'x-path'?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>

export interface Operation {
  operationId: string
  summary: string
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content; links?: object }>
  parameters?: (Parameter | { $ref: string })[]
  security?: object[]
}

/** An OpenAPI document, as far as the generators use it. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}
