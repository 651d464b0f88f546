import { type CallChecks, type CallContext, type CheckRow, defineChecks } from '../../http/errors/checks.ts'
import { listOrders } from '../orders/queries.ts'
import { exists, isParty, isSeller, partiesOf } from '../shared/checks.ts'
import { conversationsOf, listMessages, messageById } from './queries.ts'

const notBlocked = (rule: 'messages.send.blocked' | 'messages.guide.blocked'): CheckRow => [
  rule,
  'The conversation is not blocked',
  'La conversación no está bloqueada',
  'A conversa não está bloqueada',
  'pack_id',
]
const CHECKS = defineChecks({
  limit_positive: ['messages.limit', 'limit is greater than 0', 'limit es mayor que 0', 'limit é maior que 0', 'limit'],
  pack_exists: exists('messages.pack_not_found', 'pack_id', {
    en: 'pack of that seller',
    es: 'El carrito de ese vendedor',
    pt: 'O carrinho desse vendedor',
  }),
  own_pack: isParty('messages.foreign', 'pack_id', { en: 'pack', es: 'del carrito', pt: 'do carrinho' }),
  message_exists: exists('messages.not_found', 'message_id', { en: 'message', es: 'El mensaje', pt: 'A mensagem' }),
  own_message: isParty('messages.foreign_message', 'message_id', {
    en: 'message',
    es: 'del mensaje',
    pt: 'da mensagem',
  }),
  json_object: [
    'messages.send.body',
    'The body is a JSON object',
    'El cuerpo es un objeto JSON',
    'O corpo é um objeto JSON',
  ],
  text_string: ['messages.send.text_type', 'text is a string', 'text es un texto', 'text é um texto', 'text'],
  from_sent: ['messages.send.from', 'from.user_id is sent', 'Se envía from.user_id', 'from.user_id é enviado', 'from'],
  to_sent: ['messages.send.to', 'to.user_id is sent', 'Se envía to.user_id', 'to.user_id é enviado', 'to'],
  to_id: [
    'messages.send.to_id',
    'to.user_id is an integer',
    'to.user_id es un entero',
    'to.user_id é um inteiro',
    'to',
  ],
  own_sale: [
    'messages.send.foreign',
    'from is the caller, and the seller of the pack',
    'from es quien llama, y el vendedor del carrito',
    'from é quem chama, e o vendedor do carrinho',
    'from',
  ],
  receiver: [
    'messages.send.receiver',
    'to is the buyer, or the agent of the site',
    'to es el comprador, o el agente del sitio',
    'to é o comprador, ou o agente do site',
    'to',
  ],
  not_self: ['messages.send.self', 'to is not from', 'to no es from', 'to não é from', 'to'],
  text_sent: ['messages.send.text', 'There is a text', 'Hay un texto', 'Há um texto', 'text'],
  text_length: [
    'messages.send.length',
    'The text has at most 350 characters',
    'El texto tiene como máximo 350 caracteres',
    'O texto tem no máximo 350 caracteres',
    'text',
  ],
  characters: [
    'messages.send.characters',
    'The text has characters of ISO 8859-1 and emoji only',
    'El texto solo tiene caracteres de ISO 8859-1 y emojis',
    'O texto só tem caracteres de ISO 8859-1 e emojis',
    'text',
  ],
  attachments_known: [
    'messages.send.attachments',
    'The attachments were uploaded by the caller in the last 48 hours',
    'Quien llama subió los archivos adjuntos en las últimas 48 horas',
    'Quem chama enviou os anexos nas últimas 48 horas',
    'attachments',
  ],
  attachment_count: [
    'messages.send.attachment_count',
    'There are at most 25 attachments',
    'Hay como máximo 25 archivos adjuntos',
    'Há no máximo 25 anexos',
    'attachments',
  ],
  not_blocked: notBlocked('messages.send.blocked'),
  own_guide: isSeller('messages.guide.foreign', 'pack_id', { en: 'pack', es: 'del carrito', pt: 'do carrinho' }),
  option: [
    'messages.guide.option',
    'option_id is a motive of the pack',
    'option_id es un motivo del carrito',
    'option_id é um motivo do carrinho',
    'option_id',
  ],
  template: [
    'messages.guide.template',
    'template_id and vars are those of the motive',
    'template_id y vars son los del motivo',
    'template_id e vars são os do motivo',
    'template_id',
  ],
  option_text: [
    'messages.guide.text',
    'A motive without a template has a text of at most 350 characters',
    'Un motivo sin plantilla tiene un texto de como máximo 350 caracteres',
    'Um motivo sem modelo tem um texto de no máximo 350 caracteres',
    'text',
  ],
  guide_not_blocked: notBlocked('messages.guide.blocked'),
  not_begun: [
    'messages.guide.open',
    'The buyer has not written yet',
    'El comprador todavía no escribió',
    'O comprador ainda não escreveu',
    'pack_id',
  ],
  cap: [
    'messages.guide.cap',
    'The motive was not used yet',
    'El motivo todavía no se usó',
    'O motivo ainda não foi usado',
    'option_id',
  ],
  site: [
    'messages.attachments.site',
    'site_id is a known site',
    'site_id es un sitio conocido',
    'site_id é um site conhecido',
    'site_id',
  ],
  file_sent: [
    'messages.attachments.empty',
    'The body has a file that is not empty',
    'El cuerpo tiene un archivo que no está vacío',
    'O corpo tem um arquivo que não está vazio',
    'file',
  ],
  file_name: [
    'messages.attachments.name',
    'The name has no slashes, and at most 200 characters',
    'El nombre no tiene barras, y como máximo 200 caracteres',
    'O nome não tem barras, e no máximo 200 caracteres',
    'file',
  ],
  file_type: [
    'messages.attachments.type',
    'The file is a jpg, png, pdf or txt',
    'El archivo es jpg, png, pdf o txt',
    'O arquivo é jpg, png, pdf ou txt',
    'file',
  ],
  file_size: [
    'messages.attachments.size',
    'The file has at most 5 MB',
    'El archivo tiene como máximo 5 MB',
    'O arquivo tem no máximo 5 MB',
    'file',
  ],
  room: [
    'messages.attachments.room',
    'The world has room for the file',
    'El mundo tiene lugar para el archivo',
    'O mundo tem espaço para o arquivo',
  ],
  attachment_exists: exists('messages.attachments.not_found', 'attachment_id', {
    en: 'attachment',
    es: 'El archivo adjunto',
    pt: 'O anexo',
  }),
})

const PAGE = { limit: 20, offset: 0 }
const salesOf = async ({ q, caller }: CallContext) =>
  caller ? (await listOrders(q, { seller_id: caller.user_id }, PAGE)).rows : []
const packIds = async (context: CallContext) => (await salesOf(context)).map(({ pack_id, id }) => pack_id ?? id)
const ownId = ({ caller }: CallContext) => (caller ? [caller.user_id] : [])
const sellersOf = async ({ q, world, sent }: CallContext) =>
  (await conversationsOf(q, world, Number(sent('pack_id')))).map(({ seller_id }) => seller_id)
const values = { pack_id: packIds, seller_id: ownId }

export const READ_CONVERSATION: CallChecks = {
  order: 'messages.order',
  checks: [CHECKS.limit_positive, CHECKS.pack_exists, CHECKS.own_pack],
  values: { ...values, limit: () => [10] },
  callers: sellersOf,
}
export const COUNT_UNREAD: CallChecks = { ...READ_CONVERSATION, checks: [CHECKS.pack_exists, CHECKS.own_pack], values }

export const SEND_MESSAGE: CallChecks = {
  order: 'messages.send.order',
  checks: [
    ...[CHECKS.json_object, CHECKS.text_string, CHECKS.from_sent, CHECKS.to_sent, CHECKS.to_id],
    ...[CHECKS.pack_exists, CHECKS.own_sale, CHECKS.receiver, CHECKS.not_self],
    ...[CHECKS.text_sent, CHECKS.text_length, CHECKS.characters],
    ...[CHECKS.attachments_known, CHECKS.attachment_count, CHECKS.not_blocked],
  ],
  values: {
    ...values,
    tag: () => ['post_sale'],
    from: (context) => ownId(context).map((user_id) => ({ user_id })),
    to: async (context) => (await salesOf(context)).map(({ buyer_id }) => ({ user_id: buyer_id })),
    text: () => ['Hola, ya despachamos tu compra.'],
  },
  callers: sellersOf,
}

export const READ_MESSAGE: CallChecks = {
  order: 'messages.order',
  checks: [CHECKS.message_exists, CHECKS.own_message],
  values: {
    async message_id({ q, caller }) {
      const own = caller && (await listMessages(q, { seller_id: caller.user_id, status: 'available' }, PAGE))
      return own?.rows.map(({ id }) => id) ?? []
    },
  },
  callers: partiesOf(({ q, sent }) => messageById(q, String(sent('message_id')))),
}

export const READ_GUIDE: CallChecks = {
  order: 'messages.guide.order',
  checks: [CHECKS.own_guide, CHECKS.guide_not_blocked, CHECKS.not_begun],
  values: { pack_id: packIds },
  callers: sellersOf,
}
export const SEND_OPTION: CallChecks = {
  ...READ_GUIDE,
  checks: [
    ...[CHECKS.json_object, CHECKS.own_guide, CHECKS.option, CHECKS.template, CHECKS.option_text, CHECKS.characters],
    ...[CHECKS.guide_not_blocked, CHECKS.not_begun, CHECKS.cap],
  ],
  values: { pack_id: packIds, option_id: () => ['OTHER'], text: () => ['Hola, ¿qué color preferís?'] },
}

export const UPLOAD_ATTACHMENT: CallChecks = {
  order: 'messages.attachments.order',
  checks: [CHECKS.site, CHECKS.file_sent, CHECKS.file_name, CHECKS.file_type, CHECKS.file_size, CHECKS.room],
  values: { site_id: () => ['MLA'] },
}
export const READ_ATTACHMENT: CallChecks = { order: 'messages.order', checks: [CHECKS.attachment_exists] }
