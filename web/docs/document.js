/**
 * Changes an OpenAPI document so that each form of Swagger UI begins with a call that succeeds: required fields have
 * values of the world, optional ones are empty, with their example in the description.
 * `exampleOf(call)` answers `{ parameters, body }`, `exceptions` the calls that have no form.
 */
export function prepareDocument(source, { server, valuesByName, exampleOf, exceptions }) {
  const paths = Object.fromEntries(
    Object.entries(source.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const call = `${method.toUpperCase()} ${path}`
          return [method, prepareOperation(path, operation, exampleOf(call), exceptions[call])]
        }),
      ),
    ]),
  )
  const { components: _, ...rest } = source
  return { ...rest, paths, servers: [{ url: server }] }

  function prepareOperation(path, { security: _, ...operation }, { parameters = {}, body = {} }, exception) {
    const description = [operation.description, exception].filter(Boolean).join('\n\n')
    // An example that finds no value has none: `DELETE /worlds/{id}` must not offer the world of the page.
    const values = { ...valuesIn(path), ...parameters }
    return {
      ...operation,
      ...(description && { description }),
      // JSONP is for script elements: its answer would be no JSON.
      parameters: (operation.parameters ?? [])
        .filter(({ name }) => name !== 'callback')
        .map((parameter) => prepareParameter(parameter, values[parameter.name])),
      ...(operation.requestBody && { requestBody: prepareBody(operation.requestBody, body) }),
    }
  }

  /** Values of the parameters of a path by their segment and the one before, such as `items/{id}`: many are called `id`. */
  function valuesIn(path) {
    const segments = [...path.matchAll(/[^/]+\/\{(\w+)\}/g)]
    return Object.fromEntries(segments.map(([named, name]) => [name, valuesByName[named]]))
  }

  function prepareParameter({ example, examples, schema, ...parameter }, value) {
    const { default: preset, examples: ofSchema, example: _, ...rest } = schema
    const shown = example ?? Object.values(examples ?? {})[0]?.value ?? ofSchema?.[0]
    const live = value ?? (parameter.required ? (valuesByName[parameter.name] ?? shown ?? preset) : undefined)
    if (live !== undefined) return { ...parameter, schema: rest, example: live }
    const hints = [
      ...(preset === undefined ? [] : [`Default: ${preset}.`]),
      ...(shown === undefined || shown === preset ? [] : [`For example \`${[shown].flat().join(',')}\`.`]),
    ]
    const description = [parameter.description && `${parameter.description.replace(/\.$/, '')}.`, ...hints].join(' ')
    return { ...parameter, schema: rest, description }
  }

  function prepareBody(requestBody, live) {
    const [[type, content]] = Object.entries(requestBody.content)
    const { example, examples, schema } = content
    const shown = example ?? Object.values(examples ?? {})[0]?.value ?? sampleOf(schema)
    // A live body with all required members is complete; otherwise it changes the example.
    const isComplete = (schema.required ?? []).every((name) => live[name] !== undefined)
    const isEmpty = Object.keys(live).length === 0
    const body = isComplete && !isEmpty ? live : { ...withLiveMembers(shown), ...withoutUndefined(live) }
    return { ...requestBody, content: { [type]: { schema, example: body } } }
  }

  /** The required members of an object, by their own examples. */
  function sampleOf({ properties = {}, required = [], examples, enum: choices, type }) {
    if (examples) return examples[0]
    if (choices) return choices[0]
    if (type !== 'object') return undefined
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]))
  }

  function withLiveMembers(body) {
    return Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, valuesByName[name] ?? value]))
  }
}

/** A document whose references are replaced by the components that they name. */
export function withoutReferences(document) {
  const components = new Map()
  const resolve = (part) => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(resolve)
    if (typeof part.$ref === 'string') return componentOf(part.$ref)
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]))
  }
  const componentOf = (reference) => {
    if (!components.has(reference)) {
      const [, , kind, name] = reference.split('/')
      const component = resolve(document.components[kind][name])
      components.set(reference, kind === 'schemas' ? { title: name, ...component } : component)
    }
    return components.get(reference)
  }
  return resolve(document)
}

const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** Finds the operation to which a request belongs, and its call, such as `GET /items/{item_id}`. */
export function createOperationFinder({ paths }) {
  const patterns = Object.entries(paths)
    // Fixed segments win over parameters.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, methods]) => ({
      ...{ path, methods },
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    }))
  return (method, pathname) => {
    const name = method.toLowerCase()
    const found = patterns.find(({ methods, pattern }) => methods[name] && pattern.test(pathname))
    return found ? { call: `${method.toUpperCase()} ${found.path}`, operation: found.methods[name] } : {}
  }
}
