import { type AnsweredError, standardError } from '../../http/errors/answered_error.ts'
import { apiError, badRequest, notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import type { Substatus } from './tables.ts'

const refused = (rule: RuleId, message: string, field?: string) => apiError({ rule, field }, 403, 'forbidden', message)

export const packNotFound = (id: unknown) =>
  notFound('messages.pack_not_found', `The pack with id: ${id} could not be retrieved from storage`, 'pack_id')
/** A call that reads a conversation of others. */
export const foreignConversation = (pack_id: number) =>
  refused('messages.foreign', `User access token invalid for resource ${pack_id}`)
export const limitTooSmall = () => badRequest('messages.limit', 'The limit param must be greater than 0', 'limit')
export const invalidParameter = (name: 'limit' | 'offset') => () =>
  badRequest('messages.limit', `Invalid ${name} param`, name)
export const messageNotFound = (id: unknown) =>
  notFound('messages.not_found', `The message with id: ${id} could not be retrieved from storage`, 'message_id')
export const foreignMessage = (user_id: number, id: string) =>
  refused('messages.foreign_message', `Access denied for user ${user_id} to message with id ${id}`)

export const tagRequired = () => apiError('messages.send.tag', 404, 'resource not found', 'resource not found')
export const bodyRequired = () => badRequest('messages.send.body', 'A JSON body is required')
export const textIsNoString = () =>
  badRequest('messages.send.text_type', 'Unexpected exception parsing json string', 'text')
export const fromRequired = () => badRequest('messages.send.from', "The field 'from' is required", 'from')
export const toRequired = () => badRequest('messages.send.to', "The field 'to.user_id' is required", 'to')
export const invalidReceiver = () => badRequest('messages.send.to_id', "Invalid 'to' user id", 'to')
export const foreignSale = (user_id: unknown, pack_id: number) =>
  refused('messages.send.foreign', `Access denied for user ${user_id} to order ${pack_id}`)
export const foreignReceiver = (pack_id: number) =>
  refused('messages.send.receiver', `Receiver does not belong to order ${pack_id}`, 'to')
export const ownReceiver = () => badRequest('messages.send.self', 'Sender and received must not be equals', 'to')
export const textRequired = () => badRequest('messages.send.text', "The field 'text' is required", 'text')
export const textTooLong = (maximum: number) =>
  badRequest('messages.send.length', `The message content is too long, max characters allowed are ${maximum}`, 'text')
export const unsupportedCharacters = () =>
  badRequest('messages.send.characters', 'The text has character/s that is/are not supported.', 'text')
export const unknownAttachment = () =>
  apiError(
    { rule: 'messages.send.attachments', field: 'attachments' },
    ...([422, 'unprocessable_entity', 'Attachment key is invalid or not found'] as const),
  )
export const tooManyAttachments = (maximum: number) =>
  badRequest(
    'messages.send.attachment_count',
    `The message exceeds the allowed number of attachments: ${maximum}`,
    'attachments',
  )

const BLOCKED = 'blocked_conversation_send_message_forbidden'
/** The seller may not write now. */
export function conversationBlocked(substatus: Substatus) {
  const error = apiError('messages.send.blocked', 403, BLOCKED, BLOCKED)
  return Object.assign(error, { causes: [{ code: substatus, message: 'blocked' }] })
}
/** That error has the members of both forms that are known [spec: messages.send.blocked]. */
export const errorBody = (error: AnsweredError) =>
  error.error === BLOCKED
    ? { ...standardError(error), status_code: error.statusCode, code: 'forbidden' }
    : standardError(error)

export const foreignGuide = (pack_id: unknown) =>
  refused('messages.guide.foreign', `You are not allowed to access the information of the pack ${pack_id}`)
export const guideBlocked = () => refused('messages.guide.blocked', 'The conversation is blocked')
export const guideOver = () =>
  refused('messages.guide.open', 'This package has the conversation blocked, please check blocked messages')
export const unknownOption = () => notFound('messages.guide.option', 'The option selected is not valid', 'option_id')
export const invalidTemplate = (id: unknown) =>
  badRequest('messages.guide.template', `The template ${id} is invalid`, 'template_id')
export const invalidOptionText = () =>
  apiError({ rule: 'messages.guide.text', field: 'text' }, 400, 'limit_exceeded', 'The text is invalid')
export const optionUsed = (id: string) =>
  apiError(
    { rule: 'messages.guide.cap', field: 'option_id' },
    ...([403, 'bad_request', `You are not allowed to execute the option ${id} again`] as const),
  )

export const siteRequired = () =>
  badRequest('messages.attachments.site', "The queryparam 'site_id' is required", 'site_id')
export const unknownSite = (id: unknown) =>
  badRequest('messages.attachments.site', `Invalid site_id: '${id}' is not a recognized site`, 'site_id')
export const fileIsEmpty = () => badRequest('messages.attachments.empty', 'File attached is empty', 'file')
export const invalidFilename = () =>
  badRequest('messages.attachments.name', 'File name cannot include characters like /, \\', 'file')
export const filenameTooLong = (maximum: number) =>
  badRequest('messages.attachments.name', `The original_filename exceeded ${maximum} character limit`, 'file')
export const invalidFileType = () =>
  badRequest('messages.attachments.type', 'The file must be a jpg, png, pdf or txt', 'file')
export const fileTooLarge = (megabytes: number) =>
  badRequest('messages.attachments.size', `File attachment is bigger than ${megabytes} Mb.`, 'file')
export const attachmentsFull = () =>
  apiError(
    'messages.attachments.room',
    507,
    'insufficient_storage',
    'This world has no room for more attachments: those that no message refers to go after 48 hours.',
  )
export const attachmentNotFound = (id: unknown) =>
  notFound('messages.attachments.not_found', `Attachment with id ${id} not found`, 'attachment_id')
