import type { Operations, Schemas } from './operations.ts'

export type { Operations, Schemas } from './operations.ts'

/** A control call as it is written: `POST /questions`. */
export type Call = Exclude<keyof Operations, 'GET /events'>

type MemberOf<Member extends string, O> = O extends { [M in Member]: infer Value } ? Value : never
/** What of an operation's address and body has to be given. */
type CallInput<O> = Omit<O, 'answer' | 'query'> & (O extends { query: infer Query } ? { query?: Query } : unknown)
/** Nothing has to be given: then the argument may be left out. */
type Arguments<O> = keyof Omit<O, 'answer' | 'query'> extends never
  ? [given?: CallInput<O> & CallOptions]
  : [given: CallInput<O> & CallOptions]

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal
}

/** What a control call answers. */
export type AnswerOf<C extends Call> = MemberOf<'answer', Operations[C]>
/** The body that a control call takes. */
export type BodyOf<C extends Call> = MemberOf<'body', Operations[C]>

/** What happened in a world: a change that is announced, whether anybody is told or not. */
export interface Fact {
  type: 'fact'
  /** Grows; `last_event_id` goes on after it. */
  id: number
  topic: Topic
  resource: string
  /** Whom it concerns. */
  users: number[]
  /** World time. */
  at: string
}
/** A try to tell somebody that is over. */
export interface Attempt {
  type: 'attempt'
  delivery_id: number
  application_id: number
  user_id: number
  topic: Topic
  resource: string
  status: Schemas['ListedDelivery']['status']
  /** Which try it was, from 1. */
  n: number
  /** Real time that it took. */
  ms: number
  /** null: there was no answer. */
  http_code: number | null
  error: string | null
  /** World time. */
  sent: string
  /** Time that there was; null where the application is not told any more. */
  limit_ms: number | null
  /** Below 0 where the answer came too late. */
  left_ms: number | null
}
/** An application is told no more of a topic: it missed too many in a row. */
export interface TopicOff {
  type: 'topic_off'
  application_id: number
  topic: Topic
  /** World time. */
  since: string
}
export type Event = Fact | Attempt | TopicOff
export type Topic = Schemas['NotificationSetting']['topics'][number]

/** Speaks to the control plane of a running server, in the name of one of its worlds. */
export interface Control {
  /** Base address of the world. */
  readonly url: string
  /**
   * `call('PATCH /questions/{id}', { path: { id: 1 }, body: { status: 'BANNED' } })`: answers the body; undefined where
   * there is none. Throws a ControlError when the answer is an error or there is none.
   */
  call<C extends Call>(call: C, ...given: Arguments<Operations[C]>): Promise<AnswerOf<C>>
  /**
   * What happens from now on, or after `last_event_id`, until the world's state or the server ends, or the loop is
   * left.
   */
  events(options?: { last_event_id?: number; signal?: AbortSignal }): AsyncGenerator<Event, void, undefined>
  /** The same server, in the name of another of its worlds. */
  world(id: number): Control
}

export interface ControlOptions {
  /** What the server was started with as `--admin-token`. */
  adminToken?: string | undefined
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined
}

/** An instant: ISO 8601, ms since 1970, or a Date. */
export type Instant = string | number | Date

export type World = Schemas['ReadyWorld']['world']
export type Application = Schemas['ReadyWorld']['application']
/** A test user, with a token that does not expire. */
export type Person = Schemas['Person']
export type Question = Schemas['AnyQuestion']
/** A notification and how far it came, without its attempts. */
export type Delivery = Schemas['ListedDelivery']
/** A call of the emulated API and its answer. */
export type RequestMade = Schemas['Request']
export type NotificationSetting = Schemas['NotificationSetting']
export type WorldFile = Schemas['WorldFile']

/** What a receiver gets. */
export interface Notification {
  _id: string
  resource: string
  user_id: number
  topic: Topic
  application_id: number
  attempts: number
  /** World time. */
  sent: string
  /** World time. */
  received: string
}

/**
 * Receives notifications as a server would: `request` is the call itself. A Response that it returns is the answer,
 * which is 200 for anything else; where it throws it is 500, and is told again.
 */
export type Receiver = (notification: Notification, request: Request) => unknown

export interface SandboxOptions {
  /** What a new world holds: `demo` (default), or `empty`: the same people, and nothing has happened. */
  scenario?: 'demo' | 'empty'
  /** Makes another world of the same kind; an integer from 0, default 1. */
  seed?: number
  /** Freezes the world's clock there: the same seed and instant then give the same bytes in every answer. */
  now?: Instant
  /** What worlds assume where the real service is not known. */
  assume?: NonNullable<WorldFile['assumptions']>
  /** A world file, or the path of one, that the world is laid out from; instead of scenario, seed and now. */
  load?: string | WorldFile
  /** Keeps the world in this folder; without it nothing is kept. */
  data?: string
  /**
   * Port of 127.0.0.1 to listen on; without it a free one. `false`: none, and `fetch` of the sandbox alone reaches it.
   */
  port?: number | false
  /** What control calls must bear; those of the sandbox itself do. */
  adminToken?: string
  /** Where the application is told of changes, from the start and after each reset. */
  notify?: string | Receiver
  /** How it is told. */
  notifyProfile?: NotificationSetting['profile']
  /**
   * Where notifications may go besides this machine and public addresses: names, `*.suffix`, addresses, CIDR blocks.
   */
  notifyAllow?: string[]
  /** Told of faults of the sandbox itself; without it they go to console.error. */
  onFault?: (error: Error) => void
}

/** The world's clock. */
export interface Clock {
  now(): Promise<Date>
  /**
   * It goes on from there, or stands there when it stood; what is due on the way happens at its own time, before it
   * answers.
   */
  set(instant: Instant): Promise<Date>
  /** By an ISO 8601 duration (`PT2H`), a short one (`2h30m`), or ms; back with a minus. */
  advance(by: string | number): Promise<Date>
  /** It stands, at an instant or where it is. */
  freeze(instant?: Instant): Promise<Date>
  /** It runs on from where it stands. */
  resume(): Promise<Date>
  /** It is this machine's time again. */
  real(): Promise<Date>
}

/** A marketplace of its own, in this process. */
export interface Sandbox {
  /** Its base address; without a port one that only its own `fetch` reaches. */
  readonly url: string
  readonly world: World
  readonly application: Application
  readonly sellers: Person[]
  readonly buyers: Person[]
  readonly adminToken: string | undefined
  /** Every control call. */
  readonly control: Control
  readonly clock: Clock
  /** The first seller, of a country site if one is named. Throws where there is none. */
  seller(site_id?: string): Person
  /** The first buyer, likewise. */
  buyer(site_id?: string): Person
  /**
   * As the global fetch, but through no port: it takes addresses of the sandbox, whole or from `/` on. Answers stream;
   * what is sent streams where it is a stream. Redirects are answered, not followed.
   */
  fetch: typeof fetch
  /** A buyer asks; who, when and in what state may be said too. */
  ask(item_id: string, text: string, more?: Omit<BodyOf<'POST /questions'>, 'item_id' | 'text'>): Promise<Question>
  /** The seller of a question answers it. */
  answer(question: number | Pick<Question, 'id'>, text: string): Promise<Question>
  /**
   * Tells the application of changes, at an address or in this process, until it is told otherwise or the world is
   * reset.
   */
  notify(
    target: string | Receiver,
    how?: Omit<BodyOf<'PUT /applications/{id}/notifications'>, 'callback_url'>,
  ): Promise<NotificationSetting>
  /** Waits until no notification is due or on its way. */
  settle(): Promise<void>
  /** All notifications, or those asked for, the latest first. */
  deliveries(query?: ListFilter<'GET /deliveries'>): Promise<Delivery[]>
  /** All calls of the emulated API, or those asked for, in the order of their answers; the last 1000 are kept. */
  requests(query?: ListFilter<'GET /requests'>): Promise<RequestMade[]>
  /** Throws a ControlError that says which calls came nearest where it was not called as expected. */
  verify(expected: BodyOf<'POST /verify'>): Promise<AnswerOf<'POST /verify'>>
  /** Back to the beginning: its data, clock and settings, and the list of what was called. */
  reset(): Promise<void>
  /** Ends it; what is not kept is gone. A second time is nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a marketplace in this process. Throws a TypeError for options that cannot be, an Error where it cannot start.
 */
export type OpenSandbox = (options?: SandboxOptions) => Promise<Sandbox>

/** What a list may be asked for, but for its pages. */
type ListFilter<C extends 'GET /deliveries' | 'GET /requests'> = Omit<
  MemberOf<'query', Operations[C]>,
  'limit' | 'offset'
>
