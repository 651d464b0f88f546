import { blocked_buyer } from '../../../domains/questions/tables.ts'
import { NOW, type TestApp } from '../app.ts'
import { type ItemStatus, type Parties, questionFixtures, type Status } from '../questions.ts'
import { type Draft, scanWithOffset, type WrongCalls } from './draft.ts'

const NO_QUESTION = 1
const NO_ITEM = 'MLA9999999999'
const NO_USER = 999

/** The routes of questions. */
export async function questionCalls(app: TestApp): Promise<WrongCalls[]> {
  const fixtures = questionFixtures(app)
  const stall = await fixtures.createParties()
  const other = await fixtures.createParties()
  const { seller, buyer } = stall
  await fixtures.ask(buyer, stall.item)
  const blocked = await fixtures.createUser()
  await app.world.tx(async (q) => {
    const rows = [stall, other].map(({ seller }) => ({ seller_id: seller.id, buyer_id: blocked.id, date_created: NOW }))
    q.db.insert(blocked_buyer).values(rows).run()
  })

  /** Sets `question_id` to a new question. */
  const prepareQuestion = (part: 'member' | 'param') => async (call: Draft) => {
    const { exists = true, foreign = false, status = 'UNANSWERED', listing = 'active', isBlocked = false } = call.state
    const parties = { ...(foreign ? other : stall), buyer: isBlocked ? blocked : buyer }
    const item = await fixtures.createListing(parties.seller, listing as ItemStatus)
    const answer = { answer_text: 'Sí.', answer_status: 'ACTIVE' as const, answered_at: NOW }
    const row = { status: status as Status, ...(status === 'ANSWERED' && answer) }
    const id = exists ? await fixtures.insertQuestion({ ...parties, item }, row) : NO_QUESTION
    call.fill(part, 'question_id', id)
  }
  const questionBreaks = (field: string) => {
    const state = (name: string, value: unknown) => (call: Draft) => {
      call.uses(field, ...(name === 'exists' ? [] : ['state exists']))
      call.setState(name, value)
    }
    return {
      question_exists: state('exists', false),
      own_question: state('foreign', true),
      question_answerable: state('status', 'BANNED'),
      listing_of_question_active: state('listing', 'paused'),
      question_open: state('status', 'CLOSED_UNANSWERED'),
      buyer_not_blocked: (call: Draft) => {
        call.uses('state status')
        state('isBlocked', true)(call)
      },
      question_unanswered: state('status', 'ANSWERED'),
      question_deletable: state('status', 'ANSWERED'),
    }
  }
  const QUESTION_REASONS = {
    'member question_id': 'an id that is none names no question',
    'param question_id': 'an id that is none names no question',
    'state exists': 'a question that does not exist has no seller and no status',
    'state status': 'a question has one status',
  }

  /** Sets the listing to a new one. */
  const prepareListing = (part: 'member' | 'param', name: string) => async (call: Draft) => {
    const { exists = true, own = false, blocked = false, listing = 'active' } = call.state
    const parties: Pick<Parties, 'seller'> = own ? { seller: buyer } : blocked ? other : stall
    const seller_id = parties.seller.id
    if (blocked)
      await app.world.tx(async (q) => {
        const row = { seller_id, buyer_id: buyer.id, date_created: NOW }
        q.db.insert(blocked_buyer).values(row).onConflictDoNothing().run()
      })
    call.fill(part, name, exists ? await fixtures.createListing(parties.seller, listing as ItemStatus) : NO_ITEM)
  }
  const listingBreaks = (field: string) => {
    const state = (name: string, value: unknown) => (call: Draft) => {
      call.uses(field, ...(name === 'exists' ? [] : ['state exists']))
      call.setState(name, value)
    }
    return {
      listing_exists: state('exists', false),
      not_own_listing: state('own', true),
      not_blocked: state('blocked', true),
      listing_active: state('listing', 'paused'),
    }
  }
  const LISTING_REASONS = {
    'member item_id': 'an id that is none names no listing',
    'param question_id': 'an id that is none names no listing',
    'state exists': 'a listing that does not exist has no seller and no status',
  }
  const unknownMember = (call: Draft) => call.setMember('x', 1)
  const emptyText = (call: Draft) => call.setMember('text', '')

  const searchBreaks = {
    scan_offset: scanWithOffset,
    depth: (call: Draft) => {
      call.uses('query scroll_id')
      call.setQuery('offset', 1000)
    },
    sort: (call: Draft) => call.setQuery('sort_types', 'x'),
    period: (call: Draft) => call.setQuery('date_created.from', 'x'),
    scroll_id: (call: Draft) => call.setQuery('scroll_id', 'x'),
  }
  const SEARCH_REASONS = { 'query scroll_id': 'a search with scroll_id is a scan, which has no depth' }

  return [
    {
      route: 'POST /answers',
      caller: seller,
      body: { text: 'Sí.' },
      breaks: {
        ...questionBreaks('member question_id'),
        answer_body: unknownMember,
        question_id: (call) => call.setMember('question_id', 'abc'),
        text: emptyText,
      },
      prepare: prepareQuestion('member'),
      exclusive: QUESTION_REASONS,
    },
    {
      route: 'POST /questions',
      caller: buyer,
      body: { text: '¿Hay?' },
      breaks: { ...listingBreaks('member item_id'), question_body: unknownMember, text: emptyText },
      prepare: prepareListing('member', 'item_id'),
      exclusive: LISTING_REASONS,
    },
    {
      route: 'POST /questions/:question_id',
      caller: buyer,
      body: { text: '¿Hay?' },
      breaks: { ...listingBreaks('param question_id'), question_body: unknownMember, text: emptyText },
      prepare: prepareListing('param', 'question_id'),
      exclusive: LISTING_REASONS,
    },
    {
      route: 'GET /questions/:question_id',
      caller: seller,
      breaks: { question_exists: questionBreaks('param question_id').question_exists },
      prepare: prepareQuestion('param'),
      exclusive: QUESTION_REASONS,
    },
    {
      route: 'DELETE /questions/:question_id',
      caller: seller,
      breaks: questionBreaks('param question_id'),
      prepare: prepareQuestion('param'),
      exclusive: QUESTION_REASONS,
    },
    {
      route: 'GET /questions/search',
      caller: seller,
      breaks: { ...searchBreaks, own_search: (call) => call.setQuery('seller_id', buyer.id) },
      exclusive: SEARCH_REASONS,
    },
    {
      route: 'GET /my/received_questions/search',
      caller: seller,
      breaks: searchBreaks,
      exclusive: SEARCH_REASONS,
    },
    { route: 'GET /my/questions/hidden', caller: seller, breaks: {} },
    {
      route: 'POST /my/questions/hidden',
      caller: seller,
      body: { question_ids: [] },
      breaks: {
        body: (call) => call.setMember('questions_ids', 'x'),
        question_ids: (call) => call.setMember('question_ids', undefined),
        own_questions: (call) => call.setMember('question_ids', [NO_QUESTION]),
      },
      exclusive: { 'member question_ids': 'without ids there are no questions of others' },
    },
    ...blockLists(seller, buyer),
    {
      route: 'GET /users/:user_id/questions/response_time',
      caller: seller,
      params: { user_id: seller.id },
      breaks: {
        user_exists: (call) => call.setParam('user_id', NO_USER),
        own_report: (call) => call.setParam('user_id', buyer.id),
        has_questions: (call) => {
          call.setCaller(buyer)
          call.setParam('user_id', buyer.id)
        },
      },
      exclusive: {
        'param user_id': 'a user who does not exist, or who is not the caller, has no report to read',
        token: 'the report of a caller who is not known cannot be empty',
      },
    },
  ]
}

const blockLists = (seller: Parties['seller'], buyer: Parties['buyer']): WrongCalls[] => {
  const own_list = (call: Draft) => call.setParam('seller_id', buyer.id)
  const exclusive = {
    'param seller_id': 'a user who does not exist has no list',
    'param buyer_id': 'an id that is none names no user',
    'member user_id': 'an id that is none names no user',
  }
  return [
    {
      route: 'GET /users/:seller_id/questions_blacklist',
      caller: seller,
      params: { seller_id: seller.id },
      breaks: { users_exist: (call) => call.setParam('seller_id', NO_USER), own_list },
      exclusive,
    },
    {
      route: 'POST /users/:seller_id/questions_blacklist',
      caller: seller,
      params: { seller_id: seller.id },
      body: { user_id: buyer.id },
      breaks: { users_exist: (call) => call.setMember('user_id', NO_USER), own_list },
      exclusive,
    },
    {
      route: 'DELETE /users/:seller_id/questions_blacklist/:buyer_id',
      caller: seller,
      params: { seller_id: seller.id, buyer_id: buyer.id },
      breaks: { users_exist: (call) => call.setParam('buyer_id', NO_USER), own_list },
      exclusive,
    },
  ]
}
