/** A schema as a route declares it. */
export interface Schema {
  /** The path of what an id is of, such as `/items/:id`. */
  'x-path'?: string
  $ref?: string
  type?: string | string[]
  description?: string | undefined
  enum?: unknown[]
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  then?: Schema
  else?: Schema
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema: Schema }>

export interface Operation {
  operationId: string
  summary: string
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content; links?: object }>
  parameters?: (Parameter | { $ref: string })[]
  security?: object[]
}

/** An OpenAPI document, as far as the generators use it. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}
