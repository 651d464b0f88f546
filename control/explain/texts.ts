import type { Language } from '../../http/errors/checks.ts'
import type { Place } from './call_model.ts'

/** The sentences of explanations. */
export interface Sentences {
  accepted(call: string, status: number): string
  refused(call: string, status: number, check: string): string
  closed(call: string): string
  place: Record<Place, string>
  field: { missing(name: string, place: string): string; received(name: string, place: string, value: string): string }
  allowed(text: string): string
  integer(minimum: number | undefined, maximum: number | undefined): string
  number(above: number | undefined, maximum: number | undefined): string
  oneOf(values: string): string
  date(): string
  text(minLength: number, maxLength: number | undefined): string
  form(example: string): string
  list(maxItems: number | undefined): string
  object(): string
  change: {
    replace(name: string, to: string): string
    rename(from: string, to: string): string
    add(name: string, to: string): string
    remove(name: string): string
    token(user: number): string
    method(method: string): string
    path(path: string): string
    body(): string
    assumedBody(): string
  }
  fixed(changes: string, status: number): string
  acceptedNow(status: number): string
  noFix: Record<NoFix, string>
  stub(id: number): string
  /** `sent` null: nothing. */
  nearStub(id: number, what: string, expected: string, sent: string | null): string
}

/** Why there is no fix. */
export const NO_FIX = ['none_found', 'fault', 'stub', 'server', 'not_sent', 'too_large', 'not_requested'] as const
export type NoFix = (typeof NO_FIX)[number]

const between = (from: number | undefined, to: number | undefined, words: [both: string, min: string, max: string]) => {
  const [both, minimum, maximum] = words
  if (from !== undefined && to !== undefined) return both.replace('{}', String(from)).replace('{}', String(to))
  if (from !== undefined) return minimum.replace('{}', String(from))
  return to === undefined ? '' : maximum.replace('{}', String(to))
}
/** Ids go up to 2^53−1, which need not be said. */
const bound = (n: number | undefined) => (n === Number.MAX_SAFE_INTEGER ? undefined : n)

const en: Sentences = {
  accepted: (call, status) => `${call} was answered with ${status}: nothing was refused.`,
  refused: (call, status, check) => `${call} was refused with ${status} by the check “${check}”.`,
  closed: (call) => `${call} got no answer: the connection was closed.`,
  place: { path: 'path', query: 'query', body: 'body', header: 'headers' },
  field: {
    missing: (name, place) => `${name} is missing in the ${place}.`,
    received: (name, place, value) => `${name} in the ${place} was ${value}.`,
  },
  allowed: (text) => `Allowed: ${text}.`,
  integer: (from, to) => `an integer${between(from, bound(to), [' from {} to {}', ' from {}', ' up to {}'])}`,
  number: (from, to) => `a number${between(from, to, [' above {}, at most {}', ' above {}', ' of at most {}'])}`,
  oneOf: (values) => `one of ${values}`,
  date: () => 'an ISO 8601 date-time',
  text: (from, to) => `a text${between(from, to, [' of {} to {} characters', ' of at least {} characters', ''])}`,
  form: (example) => `a text such as ${example}`,
  list: (to) => `a list${between(undefined, to, ['', '', ' of at most {} elements'])}`,
  object: () => 'an object',
  change: {
    replace: (name, to) => `send ${to} as ${name}`,
    rename: (from, to) => `rename ${from} to ${to}`,
    add: (name, to) => `add ${name} with ${to}`,
    remove: (name) => `leave out ${name}`,
    token: (user) => `send the token of user ${user}`,
    method: (method) => `use the method ${method}`,
    path: (path) => `use the path ${path}`,
    body: () => 'send this JSON as body',
    assumedBody: () => 'the body was not recorded: this one is an example',
  },
  fixed: (changes, status) =>
    `This would have worked: ${changes}. It was tried on a copy of the world as it is now, and answered with ${status}.`,
  acceptedNow: (status) =>
    `The same call works now: it was tried on a copy of the world as it is now, and answered with ${status}.`,
  noFix: {
    none_found: 'No changed request was found that works on a copy of the world as it is now.',
    fault: 'The error was injected by a fault rule or by x-sandbox-fault: the request need not change.',
    stub: 'The error is the answer of a stub: the request need not change.',
    server: 'The server could not carry out the call: the request need not change.',
    not_sent: 'Only recorded calls can be tried again.',
    too_large: 'The world is too large to be copied for a try.',
    not_requested: 'No fix was requested.',
  },
  stub: (id) => `Stub ${id} answered it.`,
  nearStub: (id, what, expected, sent) =>
    what === 'times'
      ? `Stub ${id} matches, but has answered as often as it may (${expected}).`
      : `Stub ${id} nearly matches: ${what} is ${sent ?? 'missing'}, not ${expected}.`,
}

const es: Sentences = {
  accepted: (call, status) => `${call} se respondió con ${status}: no se rechazó nada.`,
  refused: (call, status, check) => `${call} se rechazó con ${status} en la comprobación «${check}».`,
  closed: (call) => `${call} no tuvo respuesta: la conexión se cerró.`,
  place: { path: 'la ruta', query: 'la consulta', body: 'el cuerpo', header: 'los encabezados' },
  field: {
    missing: (name, place) => `Falta ${name} en ${place}.`,
    received: (name, place, value) => `${name} en ${place} era ${value}.`,
  },
  allowed: (text) => `Permitido: ${text}.`,
  integer: (from, to) => `un entero${between(from, bound(to), [' de {} a {}', ' desde {}', ' hasta {}'])}`,
  number: (from, to) =>
    `un número${between(from, to, [' mayor que {}, como máximo {}', ' mayor que {}', ' de como máximo {}'])}`,
  oneOf: (values) => `uno de ${values}`,
  date: () => 'una fecha y hora ISO 8601',
  text: (from, to) => `un texto${between(from, to, [' de {} a {} caracteres', ' de al menos {} caracteres', ''])}`,
  form: (example) => `un texto como ${example}`,
  list: (to) => `una lista${between(undefined, to, ['', '', ' de como máximo {} elementos'])}`,
  object: () => 'un objeto',
  change: {
    replace: (name, to) => `enviar ${to} como ${name}`,
    rename: (from, to) => `cambiar el nombre ${from} por ${to}`,
    add: (name, to) => `agregar ${name} con ${to}`,
    remove: (name) => `quitar ${name}`,
    token: (user) => `enviar el token del usuario ${user}`,
    method: (method) => `usar el método ${method}`,
    path: (path) => `usar la ruta ${path}`,
    body: () => 'enviar este JSON como cuerpo',
    assumedBody: () => 'el cuerpo no se registró: este es un ejemplo',
  },
  fixed: (changes, status) =>
    `Esto habría funcionado: ${changes}. Se probó en una copia del mundo tal como está ahora, y respondió ${status}.`,
  acceptedNow: (status) =>
    `La misma llamada funciona ahora: se probó en una copia del mundo tal como está ahora, y respondió ${status}.`,
  noFix: {
    none_found: 'No se encontró una petición modificada que funcione en una copia del mundo tal como está ahora.',
    fault: 'El error fue inyectado por una regla de fallos o por x-sandbox-fault: la petición no tiene que cambiar.',
    stub: 'El error es la respuesta de un stub: la petición no tiene que cambiar.',
    server: 'El servidor no pudo ejecutar la llamada: la petición no tiene que cambiar.',
    not_sent: 'Solo se pueden probar de nuevo las llamadas registradas.',
    too_large: 'El mundo es demasiado grande para copiarlo y probar.',
    not_requested: 'No se pidió una corrección.',
  },
  stub: (id) => `Respondió el stub ${id}.`,
  nearStub: (id, what, expected, sent) =>
    what === 'times'
      ? `El stub ${id} coincide, pero ya respondió tantas veces como puede (${expected}).`
      : `El stub ${id} casi coincide: ${what} ${sent === null ? 'falta' : `es ${sent}`}, no ${expected}.`,
}

const pt: Sentences = {
  accepted: (call, status) => `${call} foi respondida com ${status}: nada foi recusado.`,
  refused: (call, status, check) => `${call} foi recusada com ${status} na verificação “${check}”.`,
  closed: (call) => `${call} não teve resposta: a conexão foi fechada.`,
  place: { path: 'no caminho', query: 'na consulta', body: 'no corpo', header: 'nos cabeçalhos' },
  field: {
    missing: (name, place) => `Falta ${name} ${place}.`,
    received: (name, place, value) => `${name} ${place} era ${value}.`,
  },
  allowed: (text) => `Permitido: ${text}.`,
  integer: (from, to) => `um inteiro${between(from, bound(to), [' de {} a {}', ' a partir de {}', ' até {}'])}`,
  number: (from, to) =>
    `um número${between(from, to, [' maior que {}, no máximo {}', ' maior que {}', ' de no máximo {}'])}`,
  oneOf: (values) => `um de ${values}`,
  date: () => 'uma data e hora ISO 8601',
  text: (from, to) => `um texto${between(from, to, [' de {} a {} caracteres', ' de pelo menos {} caracteres', ''])}`,
  form: (example) => `um texto como ${example}`,
  list: (to) => `uma lista${between(undefined, to, ['', '', ' de no máximo {} elementos'])}`,
  object: () => 'um objeto',
  change: {
    replace: (name, to) => `enviar ${to} como ${name}`,
    rename: (from, to) => `trocar o nome ${from} por ${to}`,
    add: (name, to) => `adicionar ${name} com ${to}`,
    remove: (name) => `retirar ${name}`,
    token: (user) => `enviar o token do usuário ${user}`,
    method: (method) => `usar o método ${method}`,
    path: (path) => `usar o caminho ${path}`,
    body: () => 'enviar este JSON como corpo',
    assumedBody: () => 'o corpo não foi registrado: este é um exemplo',
  },
  fixed: (changes, status) =>
    `Isto teria funcionado: ${changes}. Foi testado em uma cópia do mundo como está agora, e respondeu ${status}.`,
  acceptedNow: (status) =>
    `A mesma chamada funciona agora: foi testada em uma cópia do mundo como está agora, e respondeu ${status}.`,
  noFix: {
    none_found: 'Não foi encontrada uma requisição modificada que funcione em uma cópia do mundo como está agora.',
    fault: 'O erro foi injetado por uma regra de falhas ou por x-sandbox-fault: a requisição não precisa mudar.',
    stub: 'O erro é a resposta de um stub: a requisição não precisa mudar.',
    server: 'O servidor não conseguiu executar a chamada: a requisição não precisa mudar.',
    not_sent: 'Só chamadas registradas podem ser testadas de novo.',
    too_large: 'O mundo é grande demais para ser copiado para um teste.',
    not_requested: 'Nenhuma correção foi pedida.',
  },
  stub: (id) => `O stub ${id} respondeu.`,
  nearStub: (id, what, expected, sent) =>
    what === 'times'
      ? `O stub ${id} corresponde, mas já respondeu tantas vezes quanto pode (${expected}).`
      : `O stub ${id} quase corresponde: ${what} ${sent === null ? 'falta' : `é ${sent}`}, não ${expected}.`,
}

export const SENTENCES: Readonly<Record<Language, Sentences>> = { en, es, pt }
