import { CONTROL_EXAMPLES, CONTROL_EXCEPTIONS, controlValues } from './control_examples.js'
import { createOperationFinder, prepareDocument, withoutReferences } from './document.js'
import { readControlValues, readLiveValues } from './live_values.js'
import { NEW_REFRESH_TOKEN, SELLER_EXAMPLES, SELLER_EXCEPTIONS, sellerValues } from './seller_examples.js'

const isControl = new URLSearchParams(location.search).get('api') === 'control'
/** The address of the world: this page may be below `/w/2`. */
const base = new URL('.', location.href).href.replace(/\/$/, '')
const basePath = new URL(base).pathname.replace(/\/$/, '')
const worldNumber = Number(/\/w\/(\d+)$/.exec(base)?.[1] ?? 1)
const byId = (id) => document.getElementById(id)

const ADMIN_TOKEN = 'mercadito admin token'
const adminHeaders = () => {
  const token = sessionStorage.getItem(ADMIN_TOKEN)
  return token ? { authorization: `Bearer ${token}` } : {}
}

async function control(path, body) {
  const answer = await fetch(`${base}/_sandbox${path}`, {
    headers: adminHeaders(),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const content = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(content.message), { status: answer.status })
  return content
}

/** Undefined if the caller may not make control calls; the page then has the examples of the document. */
async function readValues() {
  try {
    const values = await readLiveValues(control, worldNumber)
    return isControl ? { ...values, ...(await readControlValues(control)) } : values
  } catch (error) {
    if (error.status === 401) askForAdminToken()
    showNotice(`The forms have fixed examples, because the world could not be read: ${error.message}`)
    return undefined
  }
}

function showNotice(text) {
  byId('notice').textContent = text
  byId('notice').hidden = false
}

function askForAdminToken() {
  const form = byId('admin')
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sessionStorage.setItem(ADMIN_TOKEN, form.querySelector('input').value)
    location.reload()
  })
}

/** Lists the callers; returns a function from the token that fits a call to the one to send. */
function chooseCaller({ world } = { world: { sellers: [], buyers: [] } }) {
  const select = byId('caller').querySelector('select')
  const input = byId('token')
  const choices = []
  const add = (parent, text, tokenFor) => parent.append(new Option(text, choices.push(tokenFor) - 1))
  if (world.sellers.length > 0) add(select, 'a user that fits', (fitting) => fitting)
  add(select, 'another token', () => input.value.trim())
  add(select, 'no user', () => undefined)
  for (const [label, people] of [
    ['Sellers', world.sellers],
    ['Buyers', world.buyers],
  ]) {
    const group = document.createElement('optgroup')
    group.label = label
    for (const { nickname, token } of people) add(group, nickname, () => token)
    if (people.length > 0) select.append(group)
  }
  const showInput = () => {
    input.hidden = select.selectedOptions[0].text !== 'another token'
  }
  select.addEventListener('change', showInput)
  showInput()
  byId('caller').hidden = false
  return (fitting) => choices[select.value](fitting)
}

/** `#POST /answers` opens the form of that call; Swagger UI has names of its own for them. */
function openLinkedCall({ paths }) {
  const [method = '', path = ''] = decodeURIComponent(location.hash.slice(1)).split(' ')
  const operation = paths[path]?.[method.toLowerCase()]
  if (operation) history.replaceState(null, '', `#/${operation.tags[0].replaceAll(' ', '_')}/${operation.operationId}`)
}

/** Below a refused answer: a button that opens its explanation in the console. */
const withReason =
  (LiveResponse, { React }) =>
  (props) => {
    const { response } = props
    const open = async () => {
      const path = new URL(response.get('url')).pathname.slice(basePath.length)
      const found = await control(
        `/requests?order=desc&limit=1&status=4xx&bodies=false&path=${encodeURIComponent(path)}`,
      )
      if (found.results[0]) location.assign(`${base}/_sandbox/console/#/requests/${found.results[0].id}/why`)
    }
    return React.createElement(
      React.Fragment,
      null,
      response?.get('status') >= 400 &&
        React.createElement('button', { type: 'button', className: 'why', onClick: () => void open() }, 'Why?'),
      React.createElement(LiveResponse, props),
    )
  }

async function start() {
  const values = await readValues()
  const answer = await fetch(`${base}/${isControl ? '_sandbox/' : ''}openapi.json`, {
    headers: isControl ? adminHeaders() : {},
  })
  if (!answer.ok) return
  const source = withoutReferences(await answer.json())
  const examples = isControl ? CONTROL_EXAMPLES : SELLER_EXAMPLES
  const exceptions = isControl ? CONTROL_EXCEPTIONS : SELLER_EXCEPTIONS
  const exampleOf = (call) => (values && examples[call]?.(values)) ?? {}
  const findOperation = createOperationFinder(source)
  const tokenFor = isControl ? () => sessionStorage.getItem(ADMIN_TOKEN) : chooseCaller(values)

  async function prepareRequest(request) {
    const { call, operation } = findOperation(request.method, new URL(request.url).pathname.slice(basePath.length))
    const fitting = exampleOf(call).caller ?? values?.seller
    const token = tokenFor(operation?.security?.length > 0 ? fitting?.token : undefined)
    if (token) request.headers.Authorization = `Bearer ${token}`
    if (typeof request.body === 'string' && request.body.includes(NEW_REFRESH_TOKEN)) {
      const created = await control('/tokens', { user_id: values.seller.id, refresh: true })
      request.body = request.body.replace(NEW_REFRESH_TOKEN, created.refresh_token)
    }
    return request
  }

  openLinkedCall(source)
  SwaggerUIBundle({
    spec: prepareDocument(source, {
      server: base,
      valuesByName: values ? (isControl ? controlValues : sellerValues)(values) : {},
      exampleOf,
      exceptions,
    }),
    dom_id: '#calls',
    plugins: [
      () => ({ wrapComponents: isControl ? {} : { liveResponse: withReason } }),
      () => ({
        // The document has no references. Looking for them took most of the time in which a form opens.
        fn: { resolveSubtree: (spec, path) => ({ spec: path.reduce((part, name) => part?.[name], spec), errors: [] }) },
        statePlugins: {
          spec: {
            // It is JSON, which the parser of YAML takes long to read.
            wrapActions: {
              parseToJson:
                (_, { specActions }) =>
                (text) =>
                  specActions.updateJsonSpec(JSON.parse(text)),
            },
            wrapSelectors: {
              allowTryItOutFor: () => (_state, path, method) => !exceptions[`${method.toUpperCase()} ${path}`],
            },
          },
        },
      }),
    ],
    deepLinking: true,
    validatorUrl: null,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    requestInterceptor: prepareRequest,
  })
}

const darkMode = matchMedia('(prefers-color-scheme: dark)')
/** The theme that was chosen in the console, else that of the system. */
const chosenTheme = localStorage.getItem('mercadito.theme')
const applyColours = () => {
  const isDark = chosenTheme === 'dark' || (chosenTheme !== 'light' && darkMode.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
darkMode.addEventListener('change', applyColours)
applyColours()
document.querySelector(`nav [data-api=${isControl ? 'control' : 'seller'}]`).setAttribute('aria-current', 'page')
void start()
