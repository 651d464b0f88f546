import type { AnyEvent, Event, Topic } from './events.ts'
import type { Operations, Schemas } from './operations.ts'

export type * from './events.ts'
export type { Operations, Schemas } from './operations.ts'

/** A control call, such as `POST /questions`. */
export type Call = Exclude<keyof Operations, 'GET /events'>

type MemberOf<Member extends string, O> = O extends { [M in Member]?: infer Value } ? Value : never
/** The required parts of an operation's path and body. */
type CallInput<O> = Omit<O, 'answer' | 'query'> & (O extends { query: infer Query } ? { query?: Query } : unknown)
/** Without required parts the argument may be omitted. */
type Arguments<O> =
  Record<never, never> extends Omit<O, 'answer' | 'query'>
    ? [given?: CallInput<O> & CallOptions]
    : [given: CallInput<O> & CallOptions]

export interface CallOptions {
  /** Aborts the call; it rejects with the signal's reason. */
  signal?: AbortSignal
  /** A label of at most 100 characters: the server takes a snapshot before the call, for `POST /undo`. */
  snapshot?: string
}

/** The answer of a control call. */
export type AnswerOf<C extends Call> = MemberOf<'answer', Operations[C]>
/** The body of a control call. */
export type BodyOf<C extends Call> = MemberOf<'body', Operations[C]>

/** A client of the control plane, for one world of a server. */
export interface Control {
  /** Base address of the world. */
  readonly url: string
  /**
   * `call('PATCH /questions/{id}', { path: { id: 1 }, body: { status: 'BANNED' } })`: resolves with the body, or undefined
   * if it is empty. Rejects with a ControlError if the answer is an error or missing.
   */
  call<C extends Call>(call: C, ...given: Arguments<Operations[C]>): Promise<AnswerOf<C>>
  /**
   * Events from now on, or after `last_event_id`, until the state of the world is replaced, the server ends, or the
   * loop is left.
   */
  events(options?: { last_event_id?: number; signal?: AbortSignal }): AsyncGenerator<Event, void, undefined>
  /** Events of these kinds. */
  events(options: {
    kinds: Exclude<AnyEvent['type'], 'gap'>[]
    last_event_id?: number
    signal?: AbortSignal
  }): AsyncGenerator<AnyEvent, void, undefined>
  /** A client for another world of the same server. */
  world(id: number): Control
}

export interface ControlOptions {
  /** The `--admin-token` of the server. */
  adminToken?: string | undefined
  /** Default: the global fetch. */
  fetch?: typeof fetch | undefined
}

/** An instant: ISO 8601, ms since 1970, or a Date. */
export type Instant = string | number | Date

export type World = Schemas['ReadyWorld']['world']
export type Application = Schemas['ReadyWorld']['application']
/** A test user, with a token that does not expire. */
export type Person = Schemas['Person']
export type Question = Schemas['AnyQuestion']
/** A notification with its status, without its attempts. */
export type Delivery = Schemas['ListedDelivery']
/** A call of the emulated API and its answer. */
export type RequestMade = Schemas['Request']
export type NotificationSetting = Schemas['NotificationSetting']
export type WorldFile = Schemas['WorldFile']

/** The body of a notification. */
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
 * Receives notifications; `request` is the HTTP request. A Response that it returns is the answer; other values mean 200,
 * and an error means 500, so that the notification is sent again.
 */
export type Receiver = (notification: Notification, request: Request) => unknown

export interface SandboxOptions {
  /** Content of a new world: `demo` (default); `quiet`, without its history; `empty`, also without listings. */
  scenario?: 'demo' | 'quiet' | 'empty'
  /** Generates other data of the same kind; an integer from 0, default 1. */
  seed?: number
  /** Freezes the clock: the same seed and instant then give the same bytes in every answer. */
  now?: Instant
  /** Values of assumptions. */
  assume?: NonNullable<WorldFile['assumptions']>
  /** A world file, or its path, to create the world from; instead of scenario, seed and now. */
  load?: string | WorldFile
  /** Stores the worlds in this folder; default: temporary worlds. */
  data?: string
  /**
   * Port of 127.0.0.1 to listen on; default: a free one. `false`: no port; only `fetch` of the sandbox calls it.
   */
  port?: number | false
  /** Token that control calls need; those of the sandbox itself send it. */
  adminToken?: string
  /** Receives notifications, from the start and after each reset; `inbox:` stores them inside the sandbox. */
  notify?: string | Receiver
  /** How notifications are delivered. */
  notifyProfile?: NotificationSetting['profile']
  /**
   * Hosts that notifications may be sent to, besides this machine and public addresses: names, `*.suffix`, addresses,
   * CIDR blocks.
   */
  notifyAllow?: string[]
  /** Records the start of each world and all calls in this new file, for `mercadito requests replay`. */
  record?: string
  /** Gives refused answers the header `x-sandbox-explain`, with the address of their explanation. */
  explain?: boolean
  /** Called for unexpected errors of the sandbox; default: console.error. */
  onFault?: (error: Error) => void
}

/** The clock of a world. */
export interface Clock {
  now(): Promise<Date>
  /**
   * Sets the time; a frozen clock stays frozen. What falls due until then happens at its own time, before the promise
   * resolves.
   */
  set(instant: Instant): Promise<Date>
  /** Moves the clock by a duration: ISO 8601 (`PT2H`), short (`2h30m`), or ms; back with a minus. */
  advance(by: string | number): Promise<Date>
  /** Stops the clock, at an instant or now. */
  freeze(instant?: Instant): Promise<Date>
  /** Lets the clock run on from its present time. */
  resume(): Promise<Date>
  /** Sets the clock to real time. */
  real(): Promise<Date>
}

/** A marketplace in this process. */
export interface Sandbox {
  /** Base address; without a port only `fetch` of the sandbox can use it. */
  readonly url: string
  readonly world: World
  readonly application: Application
  readonly sellers: Person[]
  readonly buyers: Person[]
  readonly adminToken: string | undefined
  /** Every control call. */
  readonly control: Control
  readonly clock: Clock
  /** The first seller, or the first of a country site. Throws if there is none. */
  seller(site_id?: string): Person
  /** The first buyer, or the first of a country site. Throws if there is none. */
  buyer(site_id?: string): Person
  /**
   * Like the global fetch, but without a port. Takes URLs of the sandbox, or paths. Bodies are streamed. Redirects are
   * not followed.
   */
  fetch: typeof fetch
  /** A buyer asks a question; buyer, date and state are optional. */
  ask(item_id: string, text: string, more?: Omit<BodyOf<'POST /questions'>, 'item_id' | 'text'>): Promise<Question>
  /** The seller answers a question. */
  answer(question: number | Pick<Question, 'id'>, text: string): Promise<Question>
  /**
   * Sends notifications of the application to a URL, or to a function of this process, until the setting is changed or
   * the world is reset.
   */
  notify(
    target: string | Receiver,
    how?: Omit<BodyOf<'PUT /applications/{id}/notifications'>, 'callback_url'>,
  ): Promise<NotificationSetting>
  /** Waits until no notification is due or in flight. */
  settle(): Promise<void>
  /** All notifications that match, latest first. */
  deliveries(query?: ListFilter<'GET /deliveries'>): Promise<Delivery[]>
  /** All calls of the emulated API that match, in the order of their answers; the last 1000 are stored. */
  requests(query?: ListFilter<'GET /requests'>): Promise<RequestMade[]>
  /** Rejects with a ControlError that has the nearest calls if the expectation is not met. */
  verify(expected: BodyOf<'POST /verify'>): Promise<AnswerOf<'POST /verify'>>
  /** Restores the start of the world: data, clock, settings and recorded calls. */
  reset(): Promise<void>
  /** Closes the sandbox; deletes temporary worlds. Later calls reject, and say that it is closed. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a marketplace in this process. Throws a TypeError for invalid options, an Error if it cannot start. */
export type OpenSandbox = (options?: SandboxOptions) => Promise<Sandbox>

export interface WorldOptions extends Pick<SandboxOptions, 'scenario' | 'seed' | 'now' | 'adminToken'> {
  /** Base address of the server; default: `MERCADITO_URL`. The default of `adminToken` is `MERCADITO_ADMIN_TOKEN`. */
  url?: string
  /** Values of assumptions. */
  assume?: Record<string, string>
  /** Name of the world, for the list of worlds. */
  name?: string
}

/** A world of a running server. `close()` deletes it. */
export type TestWorld = Omit<Sandbox, 'adminToken' | 'fetch'>

/** The filters of a list, without paging. */
type ListFilter<C extends 'GET /deliveries' | 'GET /requests'> = Omit<
  MemberOf<'query', Operations[C]>,
  'limit' | 'offset' | 'bodies'
>
