import type { Language } from '../../http/errors/checks.ts'

/** The sentences of explanations, by language. All have the members of the English ones. */
export type Sentences = typeof en
export type NoFix = keyof Sentences['noFix']

type Bound = number | undefined
/** ` from 1 to 5`, ` from 1`, ` up to 5` or nothing. Ids go up to 2^53−1, which need not be said. */
function between(from: Bound, to: Bound, [both, least, most]: [both: string, least: string, most: string]): string {
  const maximum = to === Number.MAX_SAFE_INTEGER ? undefined : to
  const words = from === undefined ? (maximum === undefined ? '' : most) : maximum === undefined ? least : both
  return words.replace('<', String(from)).replace('>', String(maximum))
}
const count = (n: number, language: Language) => n.toLocaleString(language === 'en' ? 'en' : 'de')

const en = {
  accepted: (call: string, status: number) => `${call} was answered with ${status}: nothing was refused.`,
  refused: (call: string, status: number, check: string) =>
    `${call} was refused with ${status} by the check “${check}”.`,
  notEmulated: (call: string, status: number) => `${call} is not emulated: mercadito has no such path (${status}).`,
  realPath: (what: string) => `The real service has ${what} there.`,
  closed: (call: string) => `${call} got no answer: the connection was closed.`,
  place: { path: 'path', query: 'query', body: 'body', header: 'headers' },
  field: {
    missing: (name: string, place: string) => `${name} is missing in the ${place}.`,
    received: (name: string, place: string, value: string) => `${name} in the ${place} was ${value}.`,
    unread: (name: string) => `${name} is not known: the body was not recorded, or only its beginning.`,
    tooLong: (name: string, length: number, maximum: number) =>
      `${name} had ${count(length, 'en')} of ${count(maximum, 'en')} characters.`,
    unknown: (name: string, meant: string | undefined) =>
      `The body has no member ${name}${meant === undefined ? '.' : `; did you mean ${meant}?`}`,
  },
  token: {
    expired: (at: string) => `The token expired at ${at}.`,
    other_world: (of: number, called: number) => `The token is of world ${of}, and the call went to world ${called}.`,
    revoked: () => 'The token was revoked: by a control call, or because its user has changed the password.',
    blocked: (application: number) => `The token is valid, but its application ${application} is blocked.`,
    unknown: () => 'The token is unknown: this world has issued none with this text.',
    malformed: () => 'The token is not shaped like one: Bearer APP_USR-<application>-<MMDDHH>-<32 hex digits>-<user>.',
  },
  emptyBody: 'The body was empty.',
  brokenBody: (character: string, line: number, column: number) =>
    `The body is not JSON: unexpected ${character || 'end'} in line ${line}, column ${column}.`,
  methods: (names: string) => `The path has ${names}.`,
  nearestPath: (path: string) => `The nearest path is ${path}.`,
  allowed: (text: string) => `Allowed: ${text}.`,
  integer: (from: Bound, to: Bound) => `an integer${between(from, to, [' from < to >', ' from <', ' up to >'])}`,
  number: (above: Bound, to: Bound) =>
    `a number${between(above, to, [' above <, at most >', ' above <', ' of at most >'])}`,
  oneOf: (values: string) => `one of ${values}`,
  date: () => 'an ISO 8601 date-time',
  text: (from: Bound, to: Bound) =>
    `a text${between(from, to, [' of < to > characters', ' of at least < characters', ''])}`,
  form: (example: string) => `a text such as ${example}`,
  change: {
    replace: (name: string | null, to: string | null) => `send ${to} as ${name}`,
    add: (name: string | null, to: string | null) => `add ${name} with ${to}`,
    remove: (name: string | null, _: string | null) => `leave out ${name}`,
    token: (_: string | null, to: string | null) => `send the token of user ${to}`,
    body: (_: string | null, __: string | null) => 'send this JSON as body',
  },
  fixed: (change: string, status: number) =>
    `This would have worked: ${change}. It was tried on a copy of the world as it is now, and answered with ${status}.`,
  noFix: {
    none_found: 'There is none that changes only what the check names.',
    unknown_path: 'A stub can answer it (`mercadito stub misses` lists all such calls):',
    unknown_body: 'The body was not recorded, or only its beginning, so that the call cannot be tried.',
    fault: 'The error was injected by a fault rule or by x-sandbox-fault: the request need not change.',
    stub: 'The error is the answer of a stub: the request need not change.',
    server: 'The server could not carry out the call: the request need not change.',
    not_sent: 'Only recorded calls can be tried again.',
    too_large: 'The world is too large to be copied for a try.',
    not_requested: 'No fix was requested.',
  },
  stub: (id: number) => `Stub ${id} answered it.`,
  typed: () =>
    'mercadito does not emulate this path: its answer is built in and has no state. A stub of the same path replaces it.',
  /** `sent` null: nothing. */
  nearStub: (id: number, what: string, expected: string, sent: string | null) =>
    what === 'times'
      ? `Stub ${id} matches, but has answered as often as it may (${expected}).`
      : `Stub ${id} nearly matches: ${what} is ${sent ?? 'missing'}, not ${expected}.`,
}

const es: Sentences = {
  accepted: (call, status) => `${call} se respondió con ${status}: no se rechazó nada.`,
  refused: (call, status, check) => `${call} se rechazó con ${status} en la comprobación «${check}».`,
  notEmulated: (call, status) => `${call} no está emulada: mercadito no tiene esa ruta (${status}).`,
  realPath: (what) => `El servicio real tiene ahí ${what}.`,
  closed: (call) => `${call} no tuvo respuesta: la conexión se cerró.`,
  place: { path: 'la ruta', query: 'la consulta', body: 'el cuerpo', header: 'los encabezados' },
  field: {
    missing: (name, place) => `Falta ${name} en ${place}.`,
    received: (name, place, value) => `${name} en ${place} era ${value}.`,
    unread: (name) => `${name} no se conoce: el cuerpo no se registró, o solo su comienzo.`,
    tooLong: (name, length, maximum) => `${name} tenía ${count(length, 'es')} de ${count(maximum, 'es')} caracteres.`,
    unknown: (name, meant) =>
      `El cuerpo no tiene un miembro ${name}${meant === undefined ? '.' : `; ¿quisiste decir ${meant}?`}`,
  },
  token: {
    expired: (at) => `El token venció el ${at}.`,
    other_world: (of, called) => `El token es del mundo ${of}, y la llamada fue al mundo ${called}.`,
    revoked: () => 'El token fue revocado: por una llamada de control, o porque su usuario cambió la contraseña.',
    blocked: (application) => `El token es válido, pero su aplicación ${application} está bloqueada.`,
    unknown: () => 'El token es desconocido: este mundo no emitió ninguno con este texto.',
    malformed: () =>
      'El token no tiene la forma de uno: Bearer APP_USR-<aplicación>-<MMDDHH>-<32 dígitos hexadecimales>-<usuario>.',
  },
  emptyBody: 'El cuerpo estaba vacío.',
  brokenBody: (character, line, column) =>
    `El cuerpo no es JSON: ${character || 'final'} inesperado en la línea ${line}, columna ${column}.`,
  methods: (names) => `La ruta tiene ${names}.`,
  nearestPath: (path) => `La ruta más parecida es ${path}.`,
  allowed: (text) => `Permitido: ${text}.`,
  integer: (from, to) => `un entero${between(from, to, [' de < a >', ' desde <', ' hasta >'])}`,
  number: (above, to) =>
    `un número${between(above, to, [' mayor que <, como máximo >', ' mayor que <', ' de como máximo >'])}`,
  oneOf: (values) => `uno de ${values}`,
  date: () => 'una fecha y hora ISO 8601',
  text: (from, to) => `un texto${between(from, to, [' de < a > caracteres', ' de al menos < caracteres', ''])}`,
  form: (example) => `un texto como ${example}`,
  change: {
    replace: (name, to) => `enviar ${to} como ${name}`,
    add: (name, to) => `agregar ${name} con ${to}`,
    remove: (name) => `quitar ${name}`,
    token: (_, to) => `enviar el token del usuario ${to}`,
    body: () => 'enviar este JSON como cuerpo',
  },
  fixed: (change, status) =>
    `Esto habría funcionado: ${change}. Se probó en una copia del mundo tal como está ahora, y respondió ${status}.`,
  noFix: {
    none_found: 'No hay ninguno que cambie solo lo que nombra la comprobación.',
    unknown_path: 'Un stub puede responderla (`mercadito stub misses` muestra todas las llamadas así):',
    unknown_body: 'El cuerpo no se registró, o solo su comienzo, así que la llamada no se puede probar.',
    fault: 'El error fue inyectado por una regla de fallos o por x-sandbox-fault: la llamada no tiene que cambiar.',
    stub: 'El error es la respuesta de un stub: la llamada no tiene que cambiar.',
    server: 'El servidor no pudo ejecutar la llamada: la llamada no tiene que cambiar.',
    not_sent: 'Solo se pueden probar de nuevo las llamadas registradas.',
    too_large: 'El mundo es demasiado grande para copiarlo y probar.',
    not_requested: 'No se pidió un arreglo.',
  },
  stub: (id) => `Respondió el stub ${id}.`,
  typed: () =>
    'mercadito no emula esta ruta: su respuesta está incorporada y no tiene estado. Un stub de la misma ruta la reemplaza.',
  nearStub: (id, what, expected, sent) =>
    what === 'times'
      ? `El stub ${id} coincide, pero ya respondió tantas veces como puede (${expected}).`
      : `El stub ${id} casi coincide: ${what} ${sent === null ? 'falta' : `es ${sent}`}, no ${expected}.`,
}

const pt: Sentences = {
  accepted: (call, status) => `${call} foi respondida com ${status}: nada foi recusado.`,
  refused: (call, status, check) => `${call} foi recusada com ${status} na verificação “${check}”.`,
  notEmulated: (call, status) => `${call} não é emulada: o mercadito não tem esse caminho (${status}).`,
  realPath: (what) => `O serviço real tem ali ${what}.`,
  closed: (call) => `${call} não teve resposta: a conexão foi fechada.`,
  place: { path: 'no caminho', query: 'na consulta', body: 'no corpo', header: 'nos cabeçalhos' },
  field: {
    missing: (name, place) => `Falta ${name} ${place}.`,
    received: (name, place, value) => `${name} ${place} era ${value}.`,
    unread: (name) => `${name} não é conhecido: o corpo não foi registrado, ou só o começo dele.`,
    tooLong: (name, length, maximum) => `${name} tinha ${count(length, 'pt')} de ${count(maximum, 'pt')} caracteres.`,
    unknown: (name, meant) =>
      `O corpo não tem um membro ${name}${meant === undefined ? '.' : `; você quis dizer ${meant}?`}`,
  },
  token: {
    expired: (at) => `O token venceu em ${at}.`,
    other_world: (of, called) => `O token é do mundo ${of}, e a chamada foi para o mundo ${called}.`,
    revoked: () => 'O token foi revogado: por uma chamada de controle, ou porque o usuário mudou a senha.',
    blocked: (application) => `O token é válido, mas a aplicação ${application} está bloqueada.`,
    unknown: () => 'O token é desconhecido: este mundo não emitiu nenhum com este texto.',
    malformed: () =>
      'O token não tem a forma de um: Bearer APP_USR-<aplicação>-<MMDDHH>-<32 dígitos hexadecimais>-<usuário>.',
  },
  emptyBody: 'O corpo estava vazio.',
  brokenBody: (character, line, column) =>
    `O corpo não é JSON: ${character || 'fim'} inesperado na linha ${line}, coluna ${column}.`,
  methods: (names) => `O caminho tem ${names}.`,
  nearestPath: (path) => `O caminho mais parecido é ${path}.`,
  allowed: (text) => `Permitido: ${text}.`,
  integer: (from, to) => `um inteiro${between(from, to, [' de < a >', ' a partir de <', ' até >'])}`,
  number: (above, to) =>
    `um número${between(above, to, [' maior que <, no máximo >', ' maior que <', ' de no máximo >'])}`,
  oneOf: (values) => `um de ${values}`,
  date: () => 'uma data e hora ISO 8601',
  text: (from, to) => `um texto${between(from, to, [' de < a > caracteres', ' de pelo menos < caracteres', ''])}`,
  form: (example) => `um texto como ${example}`,
  change: {
    replace: (name, to) => `enviar ${to} como ${name}`,
    add: (name, to) => `adicionar ${name} com ${to}`,
    remove: (name) => `retirar ${name}`,
    token: (_, to) => `enviar o token do usuário ${to}`,
    body: () => 'enviar este JSON como corpo',
  },
  fixed: (change, status) =>
    `Isto teria funcionado: ${change}. Foi testado em uma cópia do mundo como está agora, e respondeu ${status}.`,
  noFix: {
    none_found: 'Não há nenhuma que mude só o que a verificação nomeia.',
    unknown_path: 'Um stub pode responder (`mercadito stub misses` mostra todas as chamadas assim):',
    unknown_body: 'O corpo não foi registrado, ou só o começo dele, então a chamada não pode ser testada.',
    fault: 'O erro foi injetado por uma regra de falhas ou por x-sandbox-fault: a chamada não precisa mudar.',
    stub: 'O erro é a resposta de um stub: a chamada não precisa mudar.',
    server: 'O servidor não conseguiu executar a chamada: a chamada não precisa mudar.',
    not_sent: 'Só chamadas registradas podem ser testadas de novo.',
    too_large: 'O mundo é grande demais para ser copiado para um teste.',
    not_requested: 'Nenhuma correção foi pedida.',
  },
  stub: (id) => `O stub ${id} respondeu.`,
  typed: () =>
    'O mercadito não emula este caminho: sua resposta é incorporada e não tem estado. Um stub do mesmo caminho a substitui.',
  nearStub: (id, what, expected, sent) =>
    what === 'times'
      ? `O stub ${id} corresponde, mas já respondeu tantas vezes quanto pode (${expected}).`
      : `O stub ${id} quase corresponde: ${what} ${sent === null ? 'falta' : `é ${sent}`}, não ${expected}.`,
}

export const SENTENCES: Readonly<Record<Language, Sentences>> = { en, es, pt }
export const NO_FIX = Object.keys(en.noFix) as [NoFix, ...NoFix[]]
