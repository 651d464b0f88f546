import type { Language, Texts } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'
import { COMMON } from './common_checks.ts'
import { presentChecks, presentNoFix, presentRule } from './explanation.ts'
import { refusingCheck } from './ladder.ts'
import type { Explanation } from './schemas.ts'
import { SENTENCES } from './texts.ts'

/** An error that is answered before a call is recorded. */
interface UnrecordedError {
  status: number
  error: string
  rule: RuleId
  /** What was wrong, and what to do. */
  text: Texts
}

const BROKEN: UnrecordedError = {
  status: 400,
  error: 'bad_request',
  rule: 'http.errors.broken_request',
  text: {
    en: 'The bytes were not an HTTP request: perhaps they were HTTPS, a header had a line break, or the length of the body was wrong. Let an HTTP library write the request.',
    es: 'Los bytes no eran una llamada HTTP: quizás eran HTTPS, un encabezado tenía un salto de línea, o la longitud del cuerpo era incorrecta. Deja que una biblioteca HTTP escriba la llamada.',
    pt: 'Os bytes não eram uma chamada HTTP: talvez fossem HTTPS, um cabeçalho tinha uma quebra de linha, ou o tamanho do corpo estava errado. Deixe uma biblioteca HTTP escrever a chamada.',
  },
}

const ERRORS: Readonly<Record<string, UnrecordedError>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: 'request_header_fields_too_large',
    rule: 'http.head_limit',
    text: {
      en: 'The address and headers had more than 32,768 bytes. Send long texts in the body, and fewer cookies.',
      es: 'La dirección y los encabezados tenían más de 32.768 bytes. Envía los textos largos en el cuerpo, y menos cookies.',
      pt: 'O endereço e os cabeçalhos tinham mais de 32.768 bytes. Envie os textos longos no corpo, e menos cookies.',
    },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'request_timeout',
    rule: 'http.errors.broken_request',
    text: {
      en: 'The request did not arrive whole in time. Check that Content-Length is the length of the body, and that the body is sent.',
      es: 'La llamada no llegó completa a tiempo. Comprueba que Content-Length sea la longitud del cuerpo, y que el cuerpo se envíe.',
      pt: 'A chamada não chegou completa a tempo. Verifique se Content-Length é o tamanho do corpo, e se o corpo é enviado.',
    },
  },
  FST_ERR_BAD_URL: {
    status: 400,
    error: 'bad_request',
    rule: 'http.path.malformed',
    text: {
      en: 'The address had a % that is not followed by two hex digits of UTF-8. Encode each part of the path.',
      es: 'La dirección tenía un % que no va seguido de dos dígitos hexadecimales de UTF-8. Codifica cada parte de la ruta.',
      pt: 'O endereço tinha um % que não é seguido por dois dígitos hexadecimais de UTF-8. Codifique cada parte do caminho.',
    },
  },
  CONNECT: {
    status: 405,
    error: 'method_not_allowed',
    rule: 'http.errors.connect',
    text: {
      en: 'The client used the server as a proxy for https. Give the client the address of the server, not as a proxy.',
      es: 'El cliente usó el servidor como proxy para https. Configura la dirección del servidor en el cliente, no como proxy.',
      pt: 'O cliente usou o servidor como proxy para https. Configure o endereço do servidor no cliente, não como proxy.',
    },
  },
  HOST: {
    status: 400,
    error: 'bad_request',
    rule: 'http.errors.host',
    text: {
      en: 'A request of HTTP/1.1 had no Host header, or two. Send one.',
      es: 'Una llamada de HTTP/1.1 no tenía el encabezado Host, o tenía dos. Envía uno.',
      pt: 'Uma chamada de HTTP/1.1 não tinha o cabeçalho Host, ou tinha dois. Envie um.',
    },
  },
  EXPECT: {
    status: 417,
    error: 'expectation_failed',
    rule: 'http.errors.expect',
    text: {
      en: 'The Expect header was not 100-continue. Leave it out.',
      es: 'El encabezado Expect no era 100-continue. Quítalo.',
      pt: 'O cabeçalho Expect não era 100-continue. Retire-o.',
    },
  },
  OVERLOAD: {
    status: 503,
    error: 'service_unavailable',
    rule: 'http.errors.overload',
    text: {
      en: 'Too many requests were in flight. Wait as Retry-After says, and send fewer at a time.',
      es: 'Había demasiadas llamadas en curso. Espera lo que indica Retry-After, y envía menos a la vez.',
      pt: 'Havia chamadas demais em andamento. Espere o que Retry-After indica, e envie menos de cada vez.',
    },
  },
  WORLD: {
    status: 404,
    error: 'resource not found',
    rule: 'http.worlds.address',
    text: {
      en: 'The address begins with /w/ and a number that no world has. List the worlds, or leave out the prefix.',
      es: 'La dirección empieza con /w/ y un número que ningún mundo tiene. Lista los mundos, o quita el prefijo.',
      pt: 'O endereço começa com /w/ e um número que nenhum mundo tem. Liste os mundos, ou retire o prefixo.',
    },
  },
}

const BY_STATUS: Readonly<Record<string, string>> = {
  408: 'ERR_HTTP_REQUEST_TIMEOUT',
  417: 'EXPECT',
  431: 'HPE_HEADER_OVERFLOW',
  503: 'OVERLOAD',
}

export const CODES_TEXT = `${[...Object.keys(ERRORS), ...Object.keys(BY_STATUS)].join(', ')}, or another one of Node that begins with HPE_`

/** The error of a code of Node, of this server or of HTTP; undefined for others. */
function errorOfCode(code: string): UnrecordedError | undefined {
  const name = BY_STATUS[code] ?? code
  return Object.hasOwn(ERRORS, name) ? ERRORS[name] : /^HPE_\w+$/.test(name) ? BROKEN : undefined
}

/** Before a call is recorded. */
const FIRST_CHECKS = [COMMON.request, COMMON.capacity, COMMON.world]

/** What an error that no journal has means, by its code; undefined for an unknown code. */
export function explainCode(code: string, language: Language): Explanation | undefined {
  const found = errorOfCode(code)
  if (!found) return undefined
  const { status, error, rule, text } = found
  const check = refusingCheck(FIRST_CHECKS, { rule })
  return {
    request: { id: null, method: null, path: null, status, error, message: null },
    refused: true,
    text: text[language],
    checks: presentChecks(FIRST_CHECKS, check, true, language),
    order: null,
    check: check!.id,
    rule: presentRule(rule),
    assumption: null,
    field: null,
    ...presentNoFix('not_sent', SENTENCES[language]),
  }
}
