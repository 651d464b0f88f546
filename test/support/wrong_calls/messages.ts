import type { TestApp } from '../app.ts'
import { MULTIPART_TYPE, multipart, PNG } from '../multipart.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

/** The routes of messages after a sale. */
export async function messageCalls(app: TestApp): Promise<WrongCalls[]> {
  const { call, control } = app
  const { createParties, createUser, createListing } = questionFixtures(app)
  const { seller, buyer } = await createParties()
  const stranger = await createUser()
  /** A listing has one unit. */
  const sell = async () =>
    (await control('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })).body.pack.id as number
  const write = async (pack_id: number) =>
    (await control('POST /messages', { pack_id, from: 'buyer', text: '¿Cuándo llega?' })).body.id as string
  // The buyer has written; nobody has; a control call has blocked it.
  const [open, quiet, blocked] = [await sell(), await sell(), await sell()]
  const [message_id] = [await write(open), await write(blocked)]
  await control(`POST /conversations/${blocked}/block`, { substatus: 'blocked_by_buyer' })
  const upload = { headers: { 'content-type': MULTIPART_TYPE }, text: multipart(PNG, { filename: 'a.png' }) }
  const { body } = await call({
    ...{ method: 'POST', url: '/messages/attachments?site_id=MLA', payload: upload.text },
    headers: { ...upload.headers, authorization: `Bearer ${seller.token}` },
  })
  const attachment_id = body.id as string
  const exclusive = {
    'param pack_id': 'a call is about one pack',
    'param seller_id': 'a pack that is unknown belongs to no user',
    'param message_id': 'a message that is unknown belongs to no user',
    'member from': 'there is one sender',
    'member to': 'there is one receiver',
    'member text': 'there is one text',
    'member attachments': 'unknown attachments are too many or not',
    'member option_id': 'there is one motive',
    'query tag': 'there is one tag',
    'query limit': 'a limit that is none is neither positive nor negative',
    'query site_id': 'there is one site',
    text: 'there is one body',
    token: 'a call without a valid token has no caller who could be another one',
  }
  const param = (name: string, value: unknown) => (draft: Draft) => draft.setParam(name, value)
  const member = (name: string, value: unknown) => (draft: Draft) => draft.setMember(name, value)
  const by = (name: string, caller: typeof stranger) => (draft: Draft) => {
    draft.uses(`param ${name}`)
    draft.setCaller(caller)
  }
  const conversation = { caller: seller, params: { pack_id: open, seller_id: seller.id }, exclusive }
  const parties = { pack_exists: param('seller_id', stranger.id), own_pack: by('seller_id', stranger) }
  const guide = { caller: seller, params: { pack_id: quiet }, exclusive }
  const guideBreaks = {
    own_guide: (draft: Draft) => draft.setCaller(buyer),
    guide_not_blocked: param('pack_id', blocked),
    not_begun: param('pack_id', open),
  }
  const option = { option_id: 'OTHER', text: 'Hola.' }
  return [
    {
      ...{ ...conversation, route: 'GET /messages/packs/:pack_id/sellers/:seller_id' },
      breaks: { ...parties, limit_positive: (draft) => draft.setQuery('limit', 0) },
    },
    { ...conversation, route: 'GET /messages/unread/packs/:pack_id/sellers/:seller_id', breaks: parties },
    {
      route: 'GET /messages/unread',
      caller: seller,
      breaks: { query: (draft) => draft.setQuery('role', 'agent') },
    },
    {
      ...{ ...conversation, route: 'POST /messages/packs/:pack_id/sellers/:seller_id' },
      query: { tag: 'post_sale' },
      body: { from: { user_id: seller.id }, to: { user_id: buyer.id }, text: 'Mañana.' },
      breaks: {
        query: (draft) => draft.setQuery('tag', 'x'),
        json_object: (draft) => draft.setText('[]'),
        text_string: member('text', { plain: 'x' }),
        from_sent: member('from', {}),
        to_sent: member('to', {}),
        to_id: member('to', { user_id: 'x' }),
        pack_exists: param('seller_id', stranger.id),
        own_sale(draft) {
          draft.uses('param seller_id')
          draft.setMember('from', { user_id: stranger.id })
        },
        receiver: member('to', { user_id: stranger.id }),
        not_self: member('to', { user_id: seller.id }),
        text_sent: member('text', ' '),
        text_length: member('text', 'a'.repeat(351)),
        characters: member('text', 'Ω'),
        attachments_known: member('attachments', ['x']),
        attachment_count: member('attachments', Array(26).fill(attachment_id)),
        not_blocked: param('pack_id', blocked),
      },
    },
    {
      route: 'GET /messages/:message_id',
      ...{ caller: seller, params: { message_id }, exclusive },
      breaks: { message_exists: param('message_id', 'none'), own_message: by('message_id', stranger) },
    },
    { ...guide, route: 'GET /messages/action_guide/packs/:pack_id', breaks: guideBreaks },
    { ...guide, route: 'GET /messages/action_guide/packs/:pack_id/caps_available', breaks: guideBreaks },
    {
      ...{ ...guide, route: 'POST /messages/action_guide/packs/:pack_id/option', body: option },
      async prepare(draft) {
        // Each call uses a motive: the next one needs another sale.
        if (draft.state.used) {
          const used = await sell()
          await seller.post(`/messages/action_guide/packs/${used}/option`, option)
          draft.fill('param', 'pack_id', used)
        } else draft.fill('param', 'pack_id', await sell())
      },
      breaks: {
        ...guideBreaks,
        json_object: (draft) => draft.setText('[]'),
        option: member('option_id', 'none'),
        template(draft) {
          draft.setMember('option_id', 'REQUEST_VARIANTS')
          draft.setMember('template_id', 'none')
        },
        option_text: member('text', ' '),
        characters: member('text', 'Ω'),
        cap(draft) {
          draft.uses('param pack_id', 'member option_id', 'text')
          draft.setState('used', true)
        },
      },
    },
    {
      route: 'POST /messages/attachments',
      ...{ caller: seller, query: { site_id: 'MLA' }, ...upload, exclusive },
      breaks: {
        body_size: (draft) => draft.setHeader('content-length', String(25 * 1024 * 1024 + 1)),
        site: (draft) => draft.setQuery('site_id', 'XYZ'),
        file_sent: (draft) => draft.setText(multipart(Buffer.alloc(0))),
        file_name: (draft) => draft.setText(multipart(PNG, { filename: '../a.png' })),
        file_type: (draft) => draft.setText(multipart(PNG, { filename: 'a.svg' })),
        file_size: (draft) => draft.setText(multipart(PNG, { filename: 'a.png', bytes: 5 * 1024 * 1024 + 1 })),
      },
      // A hundred megabytes.
      unreachable: ['room'],
    },
    {
      route: 'GET /messages/attachments/:attachment_id',
      ...{ caller: seller, params: { attachment_id } },
      breaks: { attachment_exists: param('attachment_id', 'none') },
    },
  ]
}
