import { defineChecks } from '../../http/errors/checks.ts'

/** The checks of every call. Those of schemas are named by the errors of the validator, so that they have no rules. */
export const COMMON = defineChecks({
  request: [
    [
      'http.errors.broken_request',
      'http.head_limit',
      'http.path.malformed',
      'http.errors.host',
      'http.errors.expect',
      'http.errors.connect',
    ],
    'The request is a well-formed HTTP request',
    'La llamada es HTTP bien formado',
    'A chamada é HTTP bem formado',
  ],
  capacity: [
    'http.errors.overload',
    'The server is not overloaded',
    'El servidor no está sobrecargado',
    'O servidor não está sobrecarregado',
  ],
  world: ['http.worlds.address', 'The world exists', 'El mundo existe', 'O mundo existe'],
  faults: [
    ['http.faults', 'http.faults.header', 'http.errors.too_many_requests', 'http.limits'],
    'No fault is injected',
    'No se inyecta ningún fallo',
    'Nenhuma falha é injetada',
  ],
  callback: [
    'http.jsonp.name',
    'callback is the name of a function',
    'callback es el nombre de una función',
    'callback é o nome de uma função',
    'callback',
  ],
  path: ['http.errors.unknown_path', 'The path exists', 'La ruta existe', 'O caminho existe'],
  method: [
    'http.errors.wrong_method',
    'The path has this method',
    'La ruta tiene este método',
    'O caminho tem este método',
  ],
  token: [
    [
      'http.token.missing',
      'http.token.invalid',
      'oauth.blocked',
      'credits.unauthorized',
      'contacts.token_errors',
      'contacts.auth',
    ],
    'A valid token is sent',
    'Se envía un token válido',
    'Um token válido é enviado',
    'authorization',
  ],
  stub: [
    'http.stubs',
    'The stub that answers it gives no error',
    'El stub que la responde no da un error',
    'O stub que a responde não dá um erro',
  ],
  body_size: [
    ['http.body.limit', 'http.body.incomplete'],
    'The body arrives whole, and has at most 1 MiB',
    'El cuerpo llega completo, y tiene como máximo 1 MiB',
    'O corpo chega completo, e tem no máximo 1 MiB',
  ],
  empty_parameters: [
    'http.query.empty',
    'No optional parameter is empty',
    'Ningún parámetro opcional está vacío',
    'Nenhum parâmetro opcional está vazio',
  ],
  json: ['http.body.json', 'The body is JSON', 'El cuerpo es JSON', 'O corpo é JSON'],
  body: [
    [],
    'The members of the body are allowed',
    'Los miembros del cuerpo están permitidos',
    'Os membros do corpo são permitidos',
  ],
  query: [
    [],
    'The parameters of the query are allowed',
    'Los parámetros de la consulta están permitidos',
    'Os parâmetros da consulta são permitidos',
  ],
  server: [
    ['http.errors.internal', 'http.errors.disk_full', 'http.errors.unavailable'],
    'The server can carry out the call',
    'El servidor puede ejecutar la llamada',
    'O servidor consegue executar a chamada',
  ],
})

/** Where no token is needed. */
export const OPTIONAL_TOKEN = {
  ...COMMON.token,
  text: {
    en: 'A token that is sent is valid',
    es: 'Si se envía un token, es válido',
    pt: 'Se um token é enviado, é válido',
  },
}
