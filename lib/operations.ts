// Made by `npm run openapi` of the routes' own schemas; changes here are lost.

/** What has a name in the OpenAPI document of the control plane. */
export interface Schemas {
  /** The answer */
  Answer: {
    /** Text of the answer */
    text: string
    /** State of the answer */
    status: 'ACTIVE' | 'DISABLED' | 'BANNED'
    /** When it was given, at offset -04:00 */
    date_created: string
  }
  /** A lead of any seller and age */
  AnyLead: {
    /** Lead identifier, a UUID */
    id: string
    /** Listing identifier */
    item_id: string
    /** Entry amount */
    down_payment_amount: number
    /** How many installments */
    installments_number: number
    /** Amount of one installment */
    installments_amount: number
    /** Seller of the listing */
    seller_id: number
    /** Who could buy */
    buyer_id: number
    /** Identifier that the entity gave; null when it gave none */
    proposal_id: string | null
    /** When the lead was created, UTC, without offset */
    date_created: string
    /** The financing entity */
    financial_entity_id: 'MERCADO_PAGO' | 'VOTORANTIM' | 'SANTANDER' | 'SCOTIA'
    /** It is over: 30 days have passed, or it was ended before */
    expired: boolean
    /** State of the credit */
    status: 'approved' | 'rejected' | 'in_analysis'
  }
  /** A question, in any state */
  AnyQuestion: {
    /** Question identifier */
    id: number
    /** The answer; null when there is none */
    answer: Schemas['Answer'] | null
    /** When it was asked, at offset -04:00 */
    date_created: string
    /** It does not show on the page of the listing any more */
    deleted_from_listing: boolean
    /** It waits for moderation */
    hold: boolean
    /** Listing identifier */
    item_id: string
    /** Seller of the listing */
    seller_id: number
    /** State of the question */
    status: 'ANSWERED' | 'BANNED' | 'CLOSED_UNANSWERED' | 'DELETED' | 'DISABLED' | 'UNANSWERED' | 'UNDER_REVIEW'
    /** Text of the question; empty when it was banned */
    text: string
    /** Who asked */
    from: {
      /** Seller or user identifier */
      id: number
      /** How many questions of this user this seller has answered */
      answered_questions: number
    }
    /** The filter takes it for spam */
    suspected_spam: boolean
    /** Its seller’s searches leave it out */
    hidden: boolean
    /** It is the first of this buyer on this listing: the one that the response time counts */
    first_of_buyer: boolean
  }
  /** A Flex subscription of any seller */
  AnySubscription: {
    /** Subscription */
    id: number
    /** Site */
    site_id: string
    /** Seller or user identifier */
    user_id: number
    /** FLEX, or TURBO, which also needs FLEX */
    mode: 'FLEX' | 'TURBO'
    /** Which settings the mode has */
    configuration_type: {
      /** How coverage is set */
      coverage: 'zone' | 'radius'
      /** How delivery is set */
      delivery: 'custom' | 'accurate'
    }
    /** Service, by which settings are read and changed */
    service_id: number
    /** Status of the subscription */
    status: {
      /** in: active; out: not active, settings cannot be changed; pending: waits for activation, settings can be changed */
      id: 'in' | 'out' | 'pending'
    }
    /** When it was made, UTC */
    creation_date: string
    /** Days of practice before the first orders; null for none */
    training_days: number | null
    /** As the configuration query tells it */
    is_moderated: boolean
  }
  /** A program that acts for users */
  Application: {
    /** client_id */
    id: number
    /** client_secret */
    secret: string
    /** Name, as the authorization page shows it */
    name: string
    /** Where OAuth leads back to */
    redirect_uri: string
  }
  /** A point in which it is not known what the real service does */
  Assumption: {
    /** Name */
    name: string
    /** assumed: nothing public was found; observed: it was seen, but may well be wanted otherwise */
    source: 'assumed' | 'observed'
    /** What it is about */
    means: string
    /** What this world does */
    value: string
    /** What it can do instead; empty where it is fixed */
    alternatives: string[]
  }
  /** A whole backup */
  Backup: {
    /** Where it is */
    folder: string
    /** How many files */
    files: number
    /** How many bytes, of all together */
    bytes: number
  }
  /** What time it is in the world */
  Clock: {
    /** real: as this machine’s; shifted: it runs, but elsewhere; frozen: it stands */
    mode: 'real' | 'shifted' | 'frozen'
    /** The time in the world */
    now: string
  }
  /** A notification with its attempts */
  Delivery: {
    /** Number of the delivery */
    id: number
    /** What the receiver gets as `_id`, at every attempt */
    _id: string
    /** Who is told */
    application_id: number
    /** For whom */
    user_id: number
    /** What it is about */
    topic: 'questions' | 'leads-credits' | 'items' | 'flex-handshakes'
    /** Path of what changed */
    resource: string
    /** How it stands */
    status: 'pending' | 'delivered' | 'missed' | 'held' | 'dropped' | 'silenced'
    /** How many were begun */
    attempts: number
    /** World time of the change */
    received: string
    /** World time of the next attempt; null where there is none */
    next_at: string | null
    /** Attempts that are over, in order */
    tries: Schemas['DeliveryAttempt'][]
  }
  /** One try */
  DeliveryAttempt: {
    /** From 1 */
    n: number
    /** World time */
    sent: string
    /** Where it went */
    url: string
    /** Real time that it took */
    ms: number
    /** Status of the answer; null: there was none */
    http_code: number | null
    /** What was answered */
    body: string
    /** What went wrong, for people */
    error: string | null
  }
  /** One of them */
  Difference: {
    /** Where they differ */
    what: string
    /** What was expected there */
    expected: unknown
    /** What was there; absent for nothing */
    actual?: unknown
  }
  /** Standard error */
  Error: {
    /** Text for people */
    message: string
    /** Code for programs */
    error: string
    /** HTTP status */
    status: number
    /** Details; may be empty */
    cause: unknown[]
  }
  /** A rule by which calls go wrong */
  Fault: {
    /** Number of the rule: rules are tried in this order */
    id: number
    /** Which calls */
    match: {
      /** Of the call; GET takes HEAD as well. OPTIONS goes wrong only where a rule names it. A JSONP write is of the method it stands for */
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
      /** A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing */
      path?: string
      /** Only calls with a token of this user */
      user?: number
    }
    /** What happens to them */
    action: {
      /** It is answered with this status, and the error that the API has for it unless there is a body */
      status?: number
      /** With status: the answer; a text goes out as it is, anything else as JSON */
      body?: unknown
      /** With status: headers of the answer */
      headers?: Record<string, string>
      /** It waits so many ms before it goes on, or any from min to max */
      delay?: {
        min: number
        max: number
      } | number
      /** Its connection closes without an answer */
      drop?: true
      /** Beyond the limit it is 429 with Retry-After; counted by user, without a token by address */
      rate_limit?: {
        /** So many calls pass */
        limit: number
        /** In so many seconds of real time from the first one */
        window: number
      }
    }
    /** How likely it happens to a call that fits */
    probability: number
    /** How often it may happen; null: always */
    times: number | null
    /** The same seed draws the same for the same calls; without one it is the world’s and the id’s */
    seed: number
    /** Calls that it fitted so far */
    matched: number
    /** Calls that went wrong by it so far */
    applied: number
  }
  /** A program that users let act for them */
  FileApplication: {
    /** client_id; without one the world gives its own */
    id?: number
    /** client_secret; without one the world gives its own */
    secret?: string
    /** Of one whose id and secret are the world’s own: the last nine digits of the id */
    number?: number
    /** Name */
    name?: string
    /** Where OAuth leads back to */
    redirect_uri?: string
    /** How it is told of changes; without it it is not */
    notifications?: {
      /** Where notifications are sent */
      callback_url: string
      /** What it is told of; default all */
      topics?: ('questions' | 'leads-credits' | 'items' | 'flex-handshakes')[]
      /** ideal: at once and in order; realistic: half a second to answer, as the public service does it; hostile: late, twice, in another order or never. Default ideal */
      profile?: 'ideal' | 'realistic' | 'hostile'
      /** Numbers of the profile that differ here */
      overrides?: {
        /** Real time that a receiver has to answer 200, ms */
        limit_ms?: number
        /** World time of each attempt, ms after the first */
        attempts_at?: number[]
        /** One resource’s notifications wait for those before them */
        in_order?: boolean
        /** Notifications missed in a row that switch their topic off; 0: none do */
        off_after?: number
        /** Share of its wait by which a retry may come later */
        spread?: number
        /** World time that a first attempt may come late, ms: neighbours change places */
        jitter_ms?: number
        /** Share of those that come later still, by up to `delay_ms` */
        delayed?: number
        /** World time, ms */
        delay_ms?: number
        /** Share of those that come once more after they arrived */
        duplicates?: number
        /** Share of those that are never sent */
        silenced?: number
      }
    }
  }
  /** A buyer whose questions a seller does not take */
  FileBlock: {
    /** Seller: id or nickname */
    seller_id: number | string
    /** Buyer: id or nickname */
    buyer_id: number | string
    /** When; default the world’s now */
    date_created?: string
  }
  /** Contacts of one kind with one listing */
  FileContacts: {
    /** What buyers did. Questions of the file count by themselves and do not stand here */
    kind: 'question' | 'phone_view' | 'whatsapp'
    /** Listing of the file */
    item_id: string
    /** When, once for each time */
    at: string[]
    /** Who, as many as there are instants; null for a guest. Without it: guests */
    buyer_ids?: (number | string | null)[]
    /** How often each */
    count?: number
  }
  /** A rule by which some calls go wrong */
  FileFault: {
    /** Number of the rule: rules are tried in this order */
    id?: number
    /** Which calls; all without it */
    match?: {
      /** Of the call; GET takes HEAD as well. OPTIONS goes wrong only where a rule names it. A JSONP write is of the method it stands for */
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
      /** A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing */
      path?: string
      /** Only calls with a token of this user */
      user?: number
    }
    /** What happens to them: exactly one of status, delay, drop and rate_limit */
    action: {
      /** It is answered with this status, and the error that the API has for it unless there is a body */
      status?: number
      /** With status: the answer; a text goes out as it is, anything else as JSON */
      body?: unknown
      /** With status: headers of the answer */
      headers?: Record<string, string>
      /** It waits so many ms before it goes on, or any from min to max */
      delay?: {
        min: number
        max: number
      } | number
      /** Its connection closes without an answer */
      drop?: true
      /** Beyond the limit it is 429 with Retry-After; counted by user, without a token by address */
      rate_limit?: {
        /** So many calls pass */
        limit: number
        /** In so many seconds of real time from the first one */
        window: number
      }
    }
    /** How likely it happens to a call that fits */
    probability?: number
    /** How often it may happen; null: always */
    times?: number | null
    /** The same seed draws the same for the same calls; without one it is the world’s and the id’s */
    seed?: number
    /** Calls that it fitted so far */
    matched?: number
    /** Calls that went wrong by it so far */
    applied?: number
  }
  /** A user lets an application act for them */
  FileGrant: {
    /** Who let it in: id or nickname */
    user_id: number | string
    /** Which of `applications`, from 0 */
    application?: number
    /** When; default the world’s now */
    date_created?: string
  }
  /** A listing */
  FileItem: {
    /** Title, as buyers see it */
    title: string
    /** Listing identifier; made where none is given */
    id?: string
    /** Who sells it: id or nickname */
    seller_id: number | string
    /** Country site */
    site_id?: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
    /** Price in the currency of the listing */
    price: number
    /** Currency; default that of the site */
    currency_id?: string
    /** State */
    status?: 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'
    /** How it is shipped */
    shipping_mode?: 'me2' | 'me1' | 'custom' | 'not_specified'
    /** Offered with Flex */
    in_flex?: boolean
    /** When it was listed; default the world’s now */
    date_created?: string
    /** When it was last changed; default date_created */
    last_updated?: string
  }
  /** A lead of a pre-approved credit */
  FileLoan: {
    /** UUID in small letters; made where none is given */
    id?: string
    /** Listing of the file */
    item_id: string
    /** Who could buy: id or nickname */
    buyer_id: number | string
    /** Entry amount */
    down_payment_amount: number
    /** How many installments */
    installments_number: number
    /** Amount of one installment */
    installments_amount: number
    /** Identifier that the entity gave */
    proposal_id?: string | null
    /** The financing entity */
    financial_entity_id?: 'MERCADO_PAGO' | 'VOTORANTIM' | 'SANTANDER' | 'SCOTIA'
    /** State of the credit */
    status?: 'approved' | 'rejected' | 'in_analysis'
    /** When it came; default the world’s now */
    date_created?: string
    /** It was made to expire before its time */
    expired?: boolean
  }
  /** A question */
  FileQuestion: {
    /** Question identifier; made where none is given */
    id?: number
    /** Listing of the file */
    item_id: string
    /** Who asked: id or nickname */
    from_id?: number | string
    /** Somebody without an account asked; from_id may then be left out, or any number */
    guest?: boolean
    /** Text; empty when it was banned */
    text: string
    /** State; default as its answer and its listing have it */
    status?: 'ANSWERED' | 'BANNED' | 'CLOSED_UNANSWERED' | 'DELETED' | 'DISABLED' | 'UNANSWERED' | 'UNDER_REVIEW'
    /** When it was asked; default the world’s now */
    date_created?: string
    /** The answer */
    answer?: {
      /** Text */
      text: string
      /** State */
      status?: 'ACTIVE' | 'DISABLED' | 'BANNED'
      /** When it was given; default the world’s now */
      date_created?: string
    }
    /** It does not show on the page of the listing any more */
    deleted_from_listing?: boolean
    /** It waits for moderation */
    hold?: boolean
    /** The filter takes it for spam */
    suspected_spam?: boolean
    /** Its seller has hidden it */
    hidden?: boolean
    /** The contact statistics count it */
    counted?: boolean
  }
  /** A parcel that a seller delivers with Flex */
  FileShipment: {
    /** Identifier; made where none is given */
    id?: number
    /** Seller: id or nickname */
    seller_id: number | string
    /** Country site */
    site_id?: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
    /** Who carries it; null for nobody yet */
    driver_id?: number | null
    /** The driver is on the way with it */
    route_open?: boolean
    /** When; default the world’s now */
    date_created?: string
  }
  /** A same-day delivery service of a seller */
  FileSubscription: {
    /** Identifier; made where none is given */
    id?: number
    /** Seller: id or nickname */
    user_id: number | string
    /** Country site */
    site_id?: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
    /** TURBO needs FLEX */
    mode?: 'FLEX' | 'TURBO'
    /** Service; made where none is given */
    service_id?: number
    /** State */
    status?: 'in' | 'out' | 'pending'
    /** When; default the world’s now */
    creation_date?: string
    /** Days of practice */
    training_days?: number | null
    /** When */
    delivery_window?: 'same_day' | 'next_day'
    /** {week, saturday, sunday}, each a list of {from, to, capacity, cutoff}, or null; as sellers set them */
    delivery_ranges?: {
    }
    /** Zones that are served, of FLEX; default the mandatory ones of the seller’s area */
    zones?: string[]
    /** Metres around the seller, of TURBO */
    radius?: number | null
    /** The platform has its eye on it */
    is_moderated?: boolean
  }
  /** An access token */
  FileToken: {
    /** Whom it acts for: id or nickname */
    user_id: number | string
    /** Which of `applications`, from 0 */
    application?: number
    /** The token; without one the world gives its own */
    token?: string
    /** When it ends, by the world’s clock; null for never */
    expires_at?: string | null
  }
  /** A user */
  FileUser: {
    /** User identifier; made where none is given */
    id?: number
    /** Country site */
    site_id: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
    /** Public name */
    nickname?: string
    /** Password */
    password?: string
    /** Mail address */
    email?: string
    /** First name */
    first_name?: string
    /** Last name */
    last_name?: string
    /** Telephone */
    phone?: string
    /** Where the user lives or sells from */
    address?: {
      /** Street and number */
      address?: string
      /** City; it decides whether Flex goes there */
      city?: string
      /** State or province */
      state?: string
      /** Postal code */
      zip_code?: string
    }
    /** Kind of account */
    user_type?: string
    /** Marks; who has `test_user` can be picked on the authorization page */
    tags?: string[]
    /** Reputation, such as 5_green; null for who has not sold: a buyer */
    level_id?: string | null
    /** Medal */
    power_seller_status?: string | null
    /** Sales completed */
    sales_completed?: number
    /** Sales canceled */
    sales_canceled?: number
    /** State of the account */
    status?: 'active' | 'deactive'
    /** When it was registered; default the world’s now */
    registration_date?: string
  }
  /** Contacts that were recorded */
  ImportedContacts: {
    /** How many contacts, each as often as its count */
    imported: number
  }
  /** A notification on its way */
  ListedDelivery: {
    /** Number of the delivery */
    id: number
    /** What the receiver gets as `_id`, at every attempt */
    _id: string
    /** Who is told */
    application_id: number
    /** For whom */
    user_id: number
    /** What it is about */
    topic: 'questions' | 'leads-credits' | 'items' | 'flex-handshakes'
    /** Path of what changed */
    resource: string
    /** How it stands */
    status: 'pending' | 'delivered' | 'missed' | 'held' | 'dropped' | 'silenced'
    /** How many were begun */
    attempts: number
    /** World time of the change */
    received: string
    /** World time of the next attempt; null where there is none */
    next_at: string | null
  }
  /** A world */
  ListedWorld: {
    /** Number of the world */
    id: number
    /** Base address of the world */
    url: string
  }
  /** A listing, and what only the sandbox knows of it */
  Listing: {
    /** Title, as buyers see it */
    title: string
    /** Listing identifier */
    id: string
    /** Site of the listing */
    site_id: string
    /** Who sells it */
    seller_id: number
    /** Price in the currency of the listing */
    price: number
    /** Currency of the price */
    currency_id: string
    /** State of the listing; only an active one takes questions and answers */
    status: 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'
    /** Address of the page that buyers see */
    permalink: string
    /** How it is shipped */
    shipping: {
      /** me2 is the managed-shipping mode that Flex needs */
      mode: 'me2' | 'me1' | 'custom' | 'not_specified'
      /** self_service_in when offered with Flex, else self_service_out */
      tags: string[]
      /** Who carries it */
      logistic_type: string
    }
    /** When it was listed, UTC */
    date_created: string
    /** When it was last changed, UTC */
    last_updated: string
    /** Offered with Flex */
    in_flex: boolean
  }
  /** It is there */
  Live: {
    status: 'live'
  }
  /** A request that came near */
  Miss: {
    /** Which one it is; GET /requests tells all of it */
    request: {
      /** Its number since the world’s making, reset, restore or load, in the order of the answers */
      id: number
      /** Of a JSONP write the one it stands for */
      method: string
      /** Without the world’s base address and the query */
      path: string
      /** Its parameters, decoded; an array where one came more than once */
      query: Record<string, string | string[]>
      /** HTTP status, of a JSONP call the one in its script; null: the connection closed without an answer */
      status: number | null
    }
    /** What was not as expected, at most 20; none of a request that was one too many */
    differences: Schemas['Difference'][]
  }
  /** What a buyer did */
  NewContact: {
    /** What the buyer did; `question` counts one without a text */
    kind: 'phone_view' | 'whatsapp' | 'question'
    /** Listing identifier */
    item_id: string
    /** When; default now; not later than the world’s present time */
    at?: string
    /** Who it was; null for a guest */
    buyer_id?: number | null
    /** So many at that instant */
    count?: number
  }
  /** An access token that was just made */
  NewToken: {
    /** Access token */
    token: string
    /** The application that acts with it */
    application_id: number
    /** Seller or user identifier */
    user_id: number
    /** When it is over by the world’s clock, UTC; null for never */
    expires_at: string | null
    /** Whether it is valid now */
    valid: boolean
    /** Lives six months, works once; null where none was asked for */
    refresh_token: string | null
  }
  /** How an application is told of changes */
  NotificationSetting: {
    /** Who is told */
    application_id: number
    /** Where notifications are sent */
    callback_url: string
    /** What it is told of */
    topics: ('questions' | 'leads-credits' | 'items' | 'flex-handshakes')[]
    /** ideal: at once and in order; realistic: half a second to answer, as the public service does it; hostile: late, twice, in another order or never */
    profile: 'ideal' | 'realistic' | 'hostile'
    /** Numbers of the profile that differ here */
    overrides: {
      /** Real time that a receiver has to answer 200, ms */
      limit_ms?: number
      /** World time of each attempt, ms after the first */
      attempts_at?: number[]
      /** One resource’s notifications wait for those before them */
      in_order?: boolean
      /** Notifications missed in a row that switch their topic off; 0: none do */
      off_after?: number
      /** Share of its wait by which a retry may come later */
      spread?: number
      /** World time that a first attempt may come late, ms: neighbours change places */
      jitter_ms?: number
      /** Share of those that come later still, by up to `delay_ms` */
      delayed?: number
      /** World time, ms */
      delay_ms?: number
      /** Share of those that come once more after they arrived */
      duplicates?: number
      /** Share of those that are never sent */
      silenced?: number
    }
    numbers: Schemas['ProfileNumbers']
    /** Topics that were switched off */
    topics_off: Schemas['TopicOff'][]
  }
  /** Which part of the list this is */
  Paging: {
    /** How many there are */
    total: number
    /** As asked */
    limit: number
    /** As asked */
    offset: number
  }
  /** A test user */
  Person: {
    /** User identifier */
    id: number
    /** Country site */
    site_id: string
    /** Name */
    nickname: string
    /** Access token that does not expire */
    token: string
  }
  /** What the profile comes to with them */
  ProfileNumbers: {
    /** Real time that a receiver has to answer 200, ms */
    limit_ms: number
    /** World time of each attempt, ms after the first */
    attempts_at: number[]
    /** One resource’s notifications wait for those before them */
    in_order: boolean
    /** Notifications missed in a row that switch their topic off; 0: none do */
    off_after: number
    /** Share of its wait by which a retry may come later */
    spread: number
    /** World time that a first attempt may come late, ms: neighbours change places */
    jitter_ms: number
    /** Share of those that come later still, by up to `delay_ms` */
    delayed: number
    /** World time, ms */
    delay_ms: number
    /** Share of those that come once more after they arrived */
    duplicates: number
    /** Share of those that are never sent */
    silenced: number
  }
  /** It serves */
  Ready: {
    status: 'ready'
  }
  /** All that a program needs to begin */
  ReadyWorld: {
    /** Base address of the world */
    url: string
    /** Which world it is */
    world: {
      /** Number of the world */
      id: number
      /** Whether it outlives the server */
      mode: 'temporary' | 'kept'
      /** The folder; null when nothing is kept */
      data: string | null
    }
    /** Its first application */
    application: {
      /** client_id */
      id: number
      /** client_secret */
      secret: string
      /** Where OAuth leads back to */
      redirect_uri: string
    }
    /** Test users who sell */
    sellers: Schemas['Person'][]
    /** Test users who do not */
    buyers: Schemas['Person'][]
  }
  /** What was recorded */
  RecordedContact: {
    /** What the buyer did; `question` counts one without a text */
    kind: 'phone_view' | 'whatsapp' | 'question'
    /** Listing identifier */
    item_id: string
    /** Whose listing it is */
    seller_id: number
    /** Who it was; null for a guest */
    buyer_id: number | null
    /** When, UTC */
    at: string
    /** So many at that instant */
    count: number
  }
  /** A call of the emulated API */
  Request: {
    /** Its number since the world’s making, reset, restore or load, in the order of the answers */
    id: number
    /** Real time when it came */
    at: string
    /** World time when it was answered */
    world_time: string
    /** Of a JSONP write the one it stands for */
    method: string
    /** Without the world’s base address and the query */
    path: string
    /** Its parameters, decoded; an array where one came more than once */
    query: Record<string, string | string[]>
    /** Those that matter, in lower case; authorization and cookie only tell that they were sent */
    headers: Record<string, string>
    /** As it was sent; null for none, or where nobody read it, as with a token that is not valid */
    body: string | null
    /** Only the first 8 KiB of the body are here */
    truncated: boolean
    /** Whose token it bore */
    user_id: number | null
    /** Whose token it bore */
    application_id: number | null
    /** Ids of the rules by which it went wrong */
    faults: number[]
    /** What it was answered */
    response: {
      /** HTTP status, of a JSONP call the one in its script; null: the connection closed without an answer */
      status: number | null
      /** As it was answered; of a JSONP call what its script bears */
      body: string | null
      /** Only the first 8 KiB of the body are here */
      truncated: boolean
      /** Real time that it took */
      ms: number
    }
  }
  /** Reputation as a seller */
  SellerReputation: {
    /** 5_green, 4_light_green, 3_yellow, 2_orange, 1_red; null before any sale */
    level_id: string | null
    /** silver, gold, platinum or null */
    power_seller_status: string | null
    /** Sales so far */
    transactions: {
      /** Sales canceled */
      canceled: number
      /** Sales completed */
      completed: number
      /** What is counted */
      period: string
      /** All sales */
      total: number
    }
  }
  /** A parcel that a seller delivers with Flex */
  Shipment: {
    /** Shipment */
    id: number
    /** Site of its seller */
    site_id: string
    /** Whose parcel it is */
    seller_id: number
    /** Who carries it; null for nobody yet */
    driver_id: number | null
    /** The driver is on the way with it: only then does the public call tell */
    route_open: boolean
    /** When it was made, UTC */
    date_created: string
  }
  /** What buyers have done */
  Simulation: {
    /** Days of 24 hours, up to the world’s now */
    days: number
    /** How many come; peak: as busy, with many days on which everybody comes at once. Default normal */
    profile: 'quiet' | 'normal' | 'busy' | 'peak'
    /** The same seed in the same world brings the same buyers; default one that the world derives from its own */
    seed: number
    /** Where it begins, UTC */
    date_from: string
    /** The world’s now, UTC */
    date_to: string
    /** Sellers with active listings */
    sellers: number
    /** Their active listings */
    items: number
    /** Phone views that were made */
    phone_views: number
    /** Clicks on the messaging button */
    whatsapp: number
    /** Questions */
    questions: number
    /** Questions that have an answer */
    answered: number
  }
  /** A kept state of a world */
  Snapshot: {
    /** Name of a snapshot */
    name: string
  }
  /** An access token */
  Token: {
    /** Access token */
    token: string
    /** The application that acts with it */
    application_id: number
    /** Seller or user identifier */
    user_id: number
    /** When it is over by the world’s clock, UTC; null for never */
    expires_at: string | null
    /** Whether it is valid now */
    valid: boolean
  }
  /** Too many of its notifications were missed */
  TopicOff: {
    /** Of which it is told no more, until it is set again */
    topic: 'questions' | 'leads-credits' | 'items' | 'flex-handshakes'
    /** World time */
    since: string
  }
  /** It is still on its way: what is due on it takes longer than the call waits */
  TravellingClock: {
    /** real: as this machine’s; shifted: it runs, but elsewhere; frozen: it stands */
    mode: 'real' | 'shifted' | 'frozen'
    /** The time in the world */
    now: string
    /** Notifications that wait to be tried */
    pending: number
  }
  /** A user as its owner sees it, and what only the sandbox knows */
  User: {
    /** Seller or user identifier */
    id: number
    /** Public name */
    nickname: string
    /** Site where the user is registered */
    site_id: string
    /** ISO 3166 code of the country */
    country_id: string
    /** Mail address */
    email: string
    /** First name */
    first_name: string
    /** Last name */
    last_name: string
    /** Where the user lives or sells from */
    address: {
      /** Street and number */
      address: string
      /** City */
      city: string
      /** State or province */
      state: string
      /** Postal code */
      zip_code: string
    }
    /** Kind of account */
    user_type: string
    /** Marks of the account */
    tags: string[]
    /** Address of the public profile */
    permalink: string
    seller_reputation: Schemas['SellerReputation']
    /** State of the account */
    status: {
      /** State of the account on its site */
      site_status: string
    }
    /** Telephone */
    phone: string
    /** Password */
    password: string
    /** When it was registered, UTC */
    registration_date: string
    /** An active listing of the user is shipped by ME2 */
    me2: boolean
    /** What keeps the user from Flex; null when nothing does. listings: the seller has no active listing with shipping mode me2; reputation: the reputation of the seller is neither yellow nor green; address: the address of the seller lies in no coverage area; activation: Flex is not activated for the seller */
    flex_lacks: 'listings' | 'reputation' | 'address' | 'activation' | null
    /** Its first access token that does not expire; null when it has none */
    token: string | null
  }
  /** It was not called so often */
  VerificationFailed: {
    /** What was expected, and how often it happened */
    message: string
    /** Code for programs */
    error: 'verification_failed'
    /** HTTP status */
    status: number
    /** Too few: the nearest misses, at most 3. Too many: the latest of them */
    cause: Schemas['Miss'][]
    /** Requests that were as expected */
    matched: number
    /** Earlier requests that were forgotten: a world keeps 1000, and 4 MiB */
    dropped: number
  }
  /** It was */
  Verified: {
    /** Requests that were as expected */
    matched: number
    /** Earlier requests that were forgotten: a world keeps 1000, and 4 MiB */
    dropped: number
    /** Those, oldest first; at most 100 */
    requests: Schemas['Request'][]
  }
  /** A whole world of mercadito, as JSON */
  WorldFile: {
    /** Where the schema of world files is; for editors */
    $schema?: string
    /** Of the format */
    version: 1
    /** What time it is; without it real time */
    clock?: {
      /** real, shifted or frozen */
      mode: 'real' | 'shifted' | 'frozen'
      /** The time in the world; not with `real` */
      now?: string
    }
    /** What what is random in the world is made from */
    seed?: number
    /** Where the world behaves otherwise than by default */
    assumptions?: {
      /** Value */
      'auth.query_token'?: 'accept' | 'reject'
      /** Value */
      'contacts.auth'?: 'optional' | 'required'
      /** Value */
      'contacts.current_bucket'?: 'include' | 'exclude'
      /** Value */
      'contacts.day_offset'?: '-04:00' | '-12:00' | '-11:00' | '-10:00' | '-09:00' | '-08:00' | '-07:00' | '-06:00' | '-05:00' | '-03:00' | '-02:00' | '-01:00' | '+00:00' | '+01:00' | '+02:00' | '+03:00' | '+04:00' | '+05:00' | '+06:00' | '+07:00' | '+08:00' | '+09:00' | '+10:00' | '+11:00' | '+12:00' | '+13:00' | '+14:00'
      /** Value */
      'contacts.owner_only'?: 'false' | 'true'
      /** Value */
      'flex.activation_needs_subscription'?: 'true' | 'false'
    }
    /** The last number that was given of each kind, so that later ones go on from there */
    counters?: Record<string, number>
    /** People */
    users?: Schemas['FileUser'][]
    /** Programs; without it one, which all test users have let in */
    applications?: Schemas['FileApplication'][]
    /** Who has let which program in; without it those of the tokens */
    grants?: Schemas['FileGrant'][]
    /** Access tokens; without it one for each test user, that does not expire */
    tokens?: Schemas['FileToken'][]
    /** Listings */
    items?: Schemas['FileItem'][]
    /** Questions with their answers */
    questions?: Schemas['FileQuestion'][]
    /** Block lists */
    blocked_buyers?: Schemas['FileBlock'][]
    /** Phone views, clicks on the messaging button */
    contacts?: Schemas['FileContacts'][]
    /** Leads of pre-approved credits */
    loans?: Schemas['FileLoan'][]
    /** Flex and Turbo */
    flex_subscriptions?: Schemas['FileSubscription'][]
    /** Parcels */
    shipments?: Schemas['FileShipment'][]
    /** Rules by which calls go wrong */
    faults?: Schemas['FileFault'][]
  }
}

/** Every control call: what its address and its body take, and what it answers. */
export interface Operations {
  /** Whether the server is there */
  'GET /livez': {
    answer: Schemas['Live']
  }
  /** Whether the server serves */
  'GET /readyz': {
    query: {
      /** Answer as soon as it serves, and only after this time that it does not; at most 60s */
      wait?: string
    }
    answer: Schemas['Ready']
  }
  /** Figures for Prometheus */
  'GET /metrics': {
    answer: string
  }
  /** This document */
  'GET /openapi.json': {
    answer: unknown
  }
  /** Make a world */
  'POST /worlds': {
    body: {
      /** What it holds */
      scenario?: 'demo' | 'empty'
      /** Number of the world to begin as; instead of scenario */
      from?: number
      /** Makes another world of the same kind; default 1 */
      seed?: number
      /** Freeze its clock at this instant */
      now?: string
      /** Assumptions in which it shall behave otherwise, each with its value */
      assume?: Record<string, string>
    }
    answer: Schemas['ReadyWorld']
  }
  /** All worlds of the server */
  'GET /worlds': {
    query: {
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Worlds by number */
      results: Schemas['ListedWorld'][]
    }
  }
  /** All that a program needs to begin */
  'GET /worlds/{id}': {
    path: {
      /** Number of the world */
      id: number
    }
    answer: Schemas['ReadyWorld']
  }
  /** End a world and all that is kept of it */
  'DELETE /worlds/{id}': {
    path: {
      /** Number of the world */
      id: number
    }
    answer: undefined
  }
  /** Back up all worlds */
  'POST /backup': {
    body: {
      /** Where to; not there yet, in a folder that is there */
      folder: string
    }
    answer: Schemas['Backup']
  }
  /** Back to the world’s starting point */
  'POST /reset': {
    answer: undefined
  }
  /** Snapshots of the world, by name */
  'GET /snapshots': {
    query: {
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Snapshots */
      results: Schemas['Snapshot'][]
    }
  }
  /** Keep the world’s present state under a name */
  'POST /snapshots': {
    body: {
      /** Name of a snapshot */
      name: string
    }
    answer: Schemas['Snapshot']
  }
  /** Whether there is a snapshot */
  'GET /snapshots/{name}': {
    path: {
      /** Name of a snapshot */
      name: string
    }
    answer: Schemas['Snapshot']
  }
  /** Forget a snapshot */
  'DELETE /snapshots/{name}': {
    path: {
      /** Name of a snapshot */
      name: string
    }
    answer: undefined
  }
  /** Put a snapshot in the world’s place */
  'POST /snapshots/{name}/restore': {
    path: {
      /** Name of a snapshot */
      name: string
    }
    answer: undefined
  }
  /** What time it is */
  'GET /clock': {
    answer: Schemas['Clock']
  }
  /** Set, freeze or resume it */
  'PUT /clock': {
    body: {
      /** How it goes on */
      mode: 'real' | 'shifted' | 'frozen'
      /** The time to set; not with `real` */
      now?: string
      /** How long to wait for what is due on the way, in seconds of real time; default 30 */
      wait?: number
    }
    answer: Schemas['Clock'] | Schemas['TravellingClock']
  }
  /** Move it by a duration */
  'POST /clock/advance': {
    body: {
      /** ISO 8601 duration, in weeks, days, hours, minutes and seconds; with a minus in front it goes back */
      by: string
      /** How long to wait for what is due on the way, in seconds of real time; default 30 */
      wait?: number
    }
    answer: Schemas['Clock'] | Schemas['TravellingClock']
  }
  /** Applications of the world, by id */
  'GET /applications': {
    query: {
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Applications */
      results: Schemas['Application'][]
    }
  }
  /** Make an application */
  'POST /applications': {
    body: {
      /** Where OAuth leads back to: an absolute http(s) URL without a fragment */
      redirect_uri: string
      /** Name, as the authorization page shows it */
      name?: string
      /** Its client_id; made where none is told */
      id?: number
      /** client_secret */
      secret?: string
    }
    answer: Schemas['Application']
  }
  /** Read an application */
  'GET /applications/{id}': {
    path: {
      /** client_id */
      id: number
    }
    answer: Schemas['Application']
  }
  /** Change an application */
  'PATCH /applications/{id}': {
    path: {
      /** client_id */
      id: number
    }
    body: {
      /** Name, as the authorization page shows it */
      name?: string
      /** Where OAuth leads back to: an absolute http(s) URL without a fragment */
      redirect_uri?: string
      /** client_secret */
      secret?: string
    }
    answer: Schemas['Application']
  }
  /** Access tokens of the world, in the order in which they were made */
  'GET /tokens': {
    query: {
      /** Only those of a user */
      user_id?: number
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Tokens */
      results: Schemas['Token'][]
    }
  }
  /** Make an access token of any user */
  'POST /tokens': {
    body: {
      /** Seller or user identifier */
      user_id: number
      /** The application; default the world’s first */
      application_id?: number
      /** The text of the token; made where none is told */
      token?: string
      /** Seconds of the world’s time that it lives from now on: 0, it is over already; null, for ever */
      expires_in?: number | null
      /** Make a refresh token too */
      refresh?: boolean
    }
    answer: Schemas['NewToken']
  }
  /** Give an access token another life */
  'PATCH /tokens/{token}': {
    path: {
      /** Access token */
      token: string
    }
    body: {
      /** Seconds of the world’s time that it lives from now on: 0, it is over already; null, for ever */
      expires_in: number | null
    }
    answer: Schemas['Token']
  }
  /** Revoke an access token */
  'DELETE /tokens/{token}': {
    path: {
      /** Access token */
      token: string
    }
    answer: undefined
  }
  /** Users of the world, by id */
  'GET /users': {
    query: {
      /** Only those of a site */
      site_id?: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
      /** Only those with a reputation, or those without */
      kind?: 'seller' | 'buyer'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Users */
      results: Schemas['User'][]
    }
  }
  /** Make a user */
  'POST /users': {
    body: {
      /** Site of the user */
      site_id: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
      /** Its identifier; made where none is told */
      id?: number
      /** Public name; nobody else may have it */
      nickname?: string
      /** Password */
      password?: string
      /** Mail address */
      email?: string
      /** First name */
      first_name?: string
      /** Last name */
      last_name?: string
      /** Telephone */
      phone?: string
      /** Where the user lives or sells from; members that are not sent stay as they are */
      address?: {
        /** Street and number */
        address?: string
        /** City; it decides whether Flex goes there */
        city?: string
        /** State or province */
        state?: string
        /** Postal code */
        zip_code?: string
      }
      /** Reputation; null for a buyer */
      level_id?: '5_green' | '4_light_green' | '3_yellow' | '2_orange' | '1_red' | null
      /** Medal */
      power_seller_status?: 'silver' | 'gold' | 'platinum' | null
      /** Sales completed */
      sales_completed?: number
      /** Sales canceled */
      sales_canceled?: number
      /** Marks of the account; who has `test_user` can be picked on the authorization page */
      tags?: string[]
      /** State of the account */
      status?: 'active' | 'deactive'
    }
    answer: Schemas['User']
  }
  /** Read a user */
  'GET /users/{id}': {
    path: {
      /** Seller or user identifier */
      id: number
    }
    answer: Schemas['User']
  }
  /** Change a user */
  'PATCH /users/{id}': {
    path: {
      /** Seller or user identifier */
      id: number
    }
    body: {
      /** Site of the user */
      site_id?: 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC' | 'MLV' | 'MBO' | 'MPY' | 'MCR' | 'MPA' | 'MRD' | 'MGT' | 'MHN' | 'MNI' | 'MSV' | 'MCU'
      /** Public name; nobody else may have it */
      nickname?: string
      /** Password */
      password?: string
      /** Mail address */
      email?: string
      /** First name */
      first_name?: string
      /** Last name */
      last_name?: string
      /** Telephone */
      phone?: string
      /** Where the user lives or sells from; members that are not sent stay as they are */
      address?: {
        /** Street and number */
        address?: string
        /** City; it decides whether Flex goes there */
        city?: string
        /** State or province */
        state?: string
        /** Postal code */
        zip_code?: string
      }
      /** Reputation; null for a buyer */
      level_id?: '5_green' | '4_light_green' | '3_yellow' | '2_orange' | '1_red' | null
      /** Medal */
      power_seller_status?: 'silver' | 'gold' | 'platinum' | null
      /** Sales completed */
      sales_completed?: number
      /** Sales canceled */
      sales_canceled?: number
      /** Marks of the account; who has `test_user` can be picked on the authorization page */
      tags?: string[]
      /** State of the account */
      status?: 'active' | 'deactive'
      /** Ships all listings of the user by ME2, or (false) in no specified way: they leave Flex then. Shipping mode of one listing: PATCH /items/{id} */
      me2?: boolean
    }
    answer: Schemas['User']
  }
  /** Listings of the world, by id */
  'GET /items': {
    query: {
      /** Only those of a seller */
      seller_id?: number
      /** Only those in this state */
      status?: 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Listings */
      results: Schemas['Listing'][]
    }
  }
  /** List something */
  'POST /items': {
    body: {
      /** Title, as buyers see it */
      title?: string
      /** Seller or user identifier */
      seller_id: number
      /** Its identifier: the site of the seller, then digits; made where none is told */
      id?: string
      /** Currency of the price; default that of the site */
      currency_id?: 'ARS' | 'BRL' | 'CLF' | 'CLP' | 'COP' | 'CRC' | 'DOP' | 'EUR' | 'MXN' | 'PAB' | 'PEN' | 'USD' | 'UYU' | 'VEF' | 'GTQ' | 'BOB' | 'HNL' | 'NIO' | 'PYG' | 'CUC'
      /** Price in the currency of the listing */
      price?: number
      /** State of the listing; its questions follow: closed closes the unanswered ones, under_review takes them along, active brings those back */
      status?: 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'
      /** How it is shipped; what leaves me2 leaves Flex */
      shipping_mode?: 'me2' | 'me1' | 'custom' | 'not_specified'
      /** Offered with Flex: refused as the public call is */
      in_flex?: boolean
    }
    answer: Schemas['Listing']
  }
  /** Read a listing */
  'GET /items/{id}': {
    path: {
      /** Listing identifier */
      id: string
    }
    answer: Schemas['Listing']
  }
  /** Change a listing */
  'PATCH /items/{id}': {
    path: {
      /** Listing identifier */
      id: string
    }
    body: {
      /** Title, as buyers see it */
      title?: string
      /** Price in the currency of the listing */
      price?: number
      /** State of the listing; its questions follow: closed closes the unanswered ones, under_review takes them along, active brings those back */
      status?: 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'
      /** How it is shipped; what leaves me2 leaves Flex */
      shipping_mode?: 'me2' | 'me1' | 'custom' | 'not_specified'
      /** Offered with Flex: refused as the public call is */
      in_flex?: boolean
    }
    answer: Schemas['Listing']
  }
  /** Put a question, as any buyer, in any state, of any date */
  'POST /questions': {
    body: {
      /** Listing identifier */
      item_id: string
      /** Who asks. Absent: the first test buyer of the listing’s site. null: a guest, somebody without an account, another one each time */
      from?: number | null
      /** 1 to 2000 characters */
      text: string
      /** Id of the new question; without it the world gives one */
      id?: number
      /** When it was asked; default now; not later than the world’s present time */
      date_created?: string
      /** Default: ANSWERED with an answer, else as the listing’s status has it */
      status?: 'ANSWERED' | 'BANNED' | 'CLOSED_UNANSWERED' | 'DELETED' | 'DISABLED' | 'UNANSWERED' | 'UNDER_REVIEW'
      /** Marks; those that are not named stay */
      flags?: {
        /** It does not show on the page of the listing any more */
        deleted_from_listing?: boolean
        /** It waits for moderation */
        hold?: boolean
        /** The filter takes it for spam */
        suspected_spam?: boolean
        /** Its seller’s searches leave it out */
        hidden?: boolean
      }
      /** The answer */
      answer?: {
        /** 1 to 2000 characters */
        text?: string
        /** When it was given; default now; not later than the world’s present time */
        date_created?: string
        /** State of the answer; default ACTIVE */
        status?: 'ACTIVE' | 'DISABLED' | 'BANNED'
      }
    }
    answer: Schemas['AnyQuestion']
  }
  /** All questions, banned, deleted and hidden ones too */
  'GET /questions': {
    query: {
      /** Questions that this seller received */
      seller_id?: number
      /** Questions on this listing */
      item_id?: string
      /** Questions in this state */
      status?: 'ANSWERED' | 'BANNED' | 'CLOSED_UNANSWERED' | 'DELETED' | 'DISABLED' | 'UNANSWERED' | 'UNDER_REVIEW'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** By id, the highest first */
      results: Schemas['AnyQuestion'][]
    }
  }
  /** One question, in any state */
  'GET /questions/{id}': {
    path: {
      /** Question identifier */
      id: number
    }
    answer: Schemas['AnyQuestion']
  }
  /** Moderate a question, or answer it as its seller */
  'PATCH /questions/{id}': {
    path: {
      /** Question identifier */
      id: number
    }
    body: {
      /** BANNED erases the text. Absent: follows from the answer, or stays */
      status?: 'ANSWERED' | 'BANNED' | 'CLOSED_UNANSWERED' | 'DELETED' | 'DISABLED' | 'UNANSWERED' | 'UNDER_REVIEW'
      /** Marks; those that are not named stay */
      flags?: {
        /** It does not show on the page of the listing any more */
        deleted_from_listing?: boolean
        /** It waits for moderation */
        hold?: boolean
        /** The filter takes it for spam */
        suspected_spam?: boolean
        /** Its seller’s searches leave it out */
        hidden?: boolean
      }
      /** 1 to 2000 characters */
      text?: string
      /** What is not named stays as it was; null takes the answer away */
      answer?: {
        /** 1 to 2000 characters */
        text?: string
        /** When it was given; default now; not later than the world’s present time */
        date_created?: string
        /** State of the answer; default ACTIVE */
        status?: 'ACTIVE' | 'DISABLED' | 'BANNED'
      } | null
    }
    answer: Schemas['AnyQuestion']
  }
  /** Subscribe a seller to Flex, or to Turbo */
  'POST /flex/subscriptions': {
    body: {
      /** Seller or user identifier */
      user_id: number
      /** Default FLEX; TURBO needs FLEX */
      mode?: 'FLEX' | 'TURBO'
      /** Default pending */
      status?: 'in' | 'out' | 'pending'
      /** Days of practice before the first orders; default none */
      training_days?: number
      /** Id of the new service; without it the world gives one */
      service_id?: number
      /** Id of the new subscription; without it the world gives one */
      id?: number
    }
    answer: Schemas['AnySubscription']
  }
  /** Subscriptions of all sellers */
  'GET /flex/subscriptions': {
    query: {
      /** Those of this seller */
      user_id?: number
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** By id */
      results: Schemas['AnySubscription'][]
    }
  }
  /** One subscription */
  'GET /flex/subscriptions/{id}': {
    path: {
      /** Subscription identifier */
      id: number
    }
    answer: Schemas['AnySubscription']
  }
  /** Activate a subscription, end it, begin it again, moderate it */
  'PATCH /flex/subscriptions/{id}': {
    path: {
      /** Subscription identifier */
      id: number
    }
    body: {
      /** pending may become in, in may become out, out may become pending */
      status?: 'in' | 'out' | 'pending'
      /** Whether it is moderated */
      is_moderated?: boolean
    }
    answer: Schemas['AnySubscription']
  }
  /** Make a shipment of a seller */
  'POST /shipments': {
    body: {
      /** Seller or user identifier */
      seller_id: number
      /** Id of the new shipment; without it the world gives one */
      id?: number
      /** Who carries it, and sets out with it; null for nobody */
      driver_id?: number | null
      /** Whether the driver is on the way; a new driver is, where this is not said */
      route_open?: boolean
    }
    answer: Schemas['Shipment']
  }
  /** Shipments of all sellers */
  'GET /shipments': {
    query: {
      /** Those of this seller */
      seller_id?: number
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** By id */
      results: Schemas['Shipment'][]
    }
  }
  /** One shipment */
  'GET /shipments/{id}': {
    path: {
      /** Shipment identifier */
      id: number
    }
    answer: Schemas['Shipment']
  }
  /** Give a shipment a driver, or none; open or close the route */
  'PATCH /shipments/{id}': {
    path: {
      /** Shipment identifier */
      id: number
    }
    body: {
      /** Who carries it, and sets out with it; null for nobody */
      driver_id?: number | null
      /** Whether the driver is on the way; a new driver is, where this is not said */
      route_open?: boolean
    }
    answer: Schemas['Shipment']
  }
  /** Record phone views, messaging clicks and questions */
  'POST /contacts': {
    body: Schemas['NewContact'] | Schemas['NewContact'][]
    answer: Schemas['RecordedContact'] | Schemas['ImportedContacts']
  }
  /** Have a lead come, of any date and state */
  'POST /loans': {
    body: {
      /** Listing identifier */
      item_id: string
      /** Who could buy; default the first test buyer of the listing’s site */
      buyer_id?: number
      /** Entry amount; default a fifth of the price */
      down_payment_amount?: number
      /** How many installments; default 12 */
      installments_number?: number
      /** Amount of one; default what remains, with interest */
      installments_amount?: number
      /** The entity; default MERCADO_PAGO */
      financial_entity_id?: 'MERCADO_PAGO' | 'VOTORANTIM' | 'SANTANDER' | 'SCOTIA'
      /** Identifier that the entity gave; default null: it gave none */
      proposal_id?: string | null
      /** State of the credit; default in_analysis */
      status?: 'approved' | 'rejected' | 'in_analysis'
      /** When it came; default now; not later than the world’s present time */
      date_created?: string
      /** It was ended before its time */
      expired?: boolean
      /** Id of the new lead, a UUID; without it the world gives one */
      id?: string
    }
    answer: Schemas['AnyLead']
  }
  /** All leads, older ones than the public search answers too */
  'GET /loans': {
    query: {
      /** Leads on this seller’s listings */
      seller_id?: number
      /** Leads in this state */
      status?: 'approved' | 'rejected' | 'in_analysis'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Newest first */
      results: Schemas['AnyLead'][]
    }
  }
  /** One lead */
  'GET /loans/{id}': {
    path: {
      /** Lead identifier, a UUID in any letter case */
      id: string
    }
    answer: Schemas['AnyLead']
  }
  /** Approve a lead, reject it, or end it */
  'PATCH /loans/{id}': {
    path: {
      /** Lead identifier, a UUID in any letter case */
      id: string
    }
    body: {
      /** What the entity decides */
      status?: 'approved' | 'rejected'
      /** true ends it before its time, false takes that back */
      expired?: boolean
    }
    answer: Schemas['AnyLead']
  }
  /** Tell an application of changes */
  'PUT /applications/{id}/notifications': {
    path: {
      /** client_id */
      id: number
    }
    body: {
      /** Where notifications are sent */
      callback_url: string
      /** What it is told of; default all */
      topics?: ('questions' | 'leads-credits' | 'items' | 'flex-handshakes')[]
      /** ideal: at once and in order; realistic: half a second to answer, as the public service does it; hostile: late, twice, in another order or never. Default ideal */
      profile?: 'ideal' | 'realistic' | 'hostile'
      /** Numbers of the profile that differ here */
      overrides?: {
        /** Real time that a receiver has to answer 200, ms */
        limit_ms?: number
        /** World time of each attempt, ms after the first */
        attempts_at?: number[]
        /** One resource’s notifications wait for those before them */
        in_order?: boolean
        /** Notifications missed in a row that switch their topic off; 0: none do */
        off_after?: number
        /** Share of its wait by which a retry may come later */
        spread?: number
        /** World time that a first attempt may come late, ms: neighbours change places */
        jitter_ms?: number
        /** Share of those that come later still, by up to `delay_ms` */
        delayed?: number
        /** World time, ms */
        delay_ms?: number
        /** Share of those that come once more after they arrived */
        duplicates?: number
        /** Share of those that are never sent */
        silenced?: number
      }
    }
    answer: Schemas['NotificationSetting']
  }
  /** How an application is told */
  'GET /applications/{id}/notifications': {
    path: {
      /** client_id */
      id: number
    }
    answer: Schemas['NotificationSetting']
  }
  /** Tell an application nothing more */
  'DELETE /applications/{id}/notifications': {
    path: {
      /** client_id */
      id: number
    }
    answer: undefined
  }
  /** Wait until nothing is due or on its way */
  'POST /settle': {
    answer: undefined
  }
  /** Notifications of the world, the latest first */
  'GET /deliveries': {
    query: {
      /** Only to this application */
      application_id?: number
      /** Only for this user */
      user_id?: number
      /** Only about this */
      topic?: 'questions' | 'leads-credits' | 'items' | 'flex-handshakes'
      /** Only of this path */
      resource?: string
      /** Only those that stand so */
      status?: 'pending' | 'delivered' | 'missed' | 'held' | 'dropped' | 'silenced'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Notifications */
      results: Schemas['ListedDelivery'][]
    }
  }
  /** A notification with every attempt */
  'GET /deliveries/{id}': {
    path: {
      /** Number of the delivery */
      id: number
    }
    answer: Schemas['Delivery']
  }
  /** Try once more, now */
  'POST /deliveries/{id}/resend': {
    path: {
      /** Number of the delivery */
      id: number
    }
    answer: Schemas['Delivery']
  }
  /** Keep back what is pending */
  'POST /deliveries/{id}/hold': {
    path: {
      /** Number of the delivery */
      id: number
    }
    answer: Schemas['Delivery']
  }
  /** Let go what is held */
  'POST /deliveries/{id}/release': {
    path: {
      /** Number of the delivery */
      id: number
    }
    answer: Schemas['Delivery']
  }
  /** Give up what is pending or held */
  'POST /deliveries/{id}/drop': {
    path: {
      /** Number of the delivery */
      id: number
    }
    answer: Schemas['Delivery']
  }
  /** What happens, as it happens: server-sent events */
  'GET /events': {
    query: {
      /** Facts after this one; the header Last-Event-ID wins */
      last_event_id?: number
    }
    answer: string
  }
  /** Let calls go wrong */
  'POST /faults': {
    body: {
      /** Number of the rule: rules are tried in this order */
      id?: number
      /** Which calls; all without it */
      match?: {
        /** Of the call; GET takes HEAD as well. OPTIONS goes wrong only where a rule names it. A JSONP write is of the method it stands for */
        method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
        /** A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing */
        path?: string
        /** Only calls with a token of this user */
        user?: number
      }
      /** What happens to them: exactly one of status, delay, drop and rate_limit */
      action: {
        /** It is answered with this status, and the error that the API has for it unless there is a body */
        status?: number
        /** With status: the answer; a text goes out as it is, anything else as JSON */
        body?: unknown
        /** With status: headers of the answer */
        headers?: Record<string, string>
        /** It waits so many ms before it goes on, or any from min to max */
        delay?: {
          min: number
          max: number
        } | number
        /** Its connection closes without an answer */
        drop?: true
        /** Beyond the limit it is 429 with Retry-After; counted by user, without a token by address */
        rate_limit?: {
          /** So many calls pass */
          limit: number
          /** In so many seconds of real time from the first one */
          window: number
        }
      }
      /** How likely it happens to a call that fits */
      probability?: number
      /** How often it may happen; null: always */
      times?: number | null
      /** The same seed draws the same for the same calls; without one it is the world’s and the id’s */
      seed?: number
    }
    answer: Schemas['Fault']
  }
  /** Rules, in the order in which they are tried */
  'GET /faults': {
    query: {
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Rules */
      results: Schemas['Fault'][]
    }
  }
  /** Let everything go well again */
  'DELETE /faults': {
    answer: undefined
  }
  /** A rule, and what it did so far */
  'GET /faults/{id}': {
    path: {
      /** Number of the rule */
      id: number
    }
    answer: Schemas['Fault']
  }
  /** Take a rule back */
  'DELETE /faults/{id}': {
    path: {
      /** Number of the rule */
      id: number
    }
    answer: undefined
  }
  /** What was called, and what it was answered */
  'GET /requests': {
    query: {
      /** GET takes HEAD as well */
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
      /** A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing */
      path?: string
      /** Answered with this status; 0: not answered */
      status?: number
      /** With a token of this user */
      user?: number
      /** Only those after the one of this id */
      since?: number
      /** asc: oldest first */
      order?: 'asc' | 'desc'
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Requests */
      results: Schemas['Request'][]
      /** Earlier requests that were forgotten: a world keeps 1000, and 4 MiB */
      dropped: number
    }
  }
  /** Forget what was called */
  'DELETE /requests': {
    answer: undefined
  }
  /** Whether it was called as you expect */
  'POST /verify': {
    body: {
      /** GET takes HEAD as well */
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
      /** A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing */
      path: string
      /** Parameters that it must have, among others; an array where one comes more than once */
      query?: Record<string, unknown>
      /** What its body must have: of objects these members, among others; of arrays all elements. A form is an object of texts; what is neither JSON nor a form is a text */
      body?: unknown
      /** Exactly so often */
      times?: number
      /** So often or more; 1 when nothing else is said */
      at_least?: number
      /** So often or less */
      at_most?: number
    }
    answer: Schemas['Verified']
  }
  /** Fill the last days with buyers */
  'POST /simulate': {
    body: {
      /** Days of 24 hours, up to the world’s now */
      days: number
      /** How many come; peak: as busy, with many days on which everybody comes at once. Default normal */
      profile?: 'quiet' | 'normal' | 'busy' | 'peak'
      /** The same seed in the same world brings the same buyers; default one that the world derives from its own */
      seed?: number
      /** Only this seller’s listings */
      user_id?: number
      /** false: applications are told nothing, for those who only want a past */
      notify?: boolean
    }
    answer: Schemas['Simulation']
  }
  /** All assumptions, by name, and how this world stands to them */
  'GET /assumptions': {
    query: {
      /** At most so many; 0 for the total alone */
      limit?: number
      /** So many are left out */
      offset?: number
    }
    answer: {
      paging: Schemas['Paging']
      /** Assumptions by name */
      results: Schemas['Assumption'][]
    }
  }
  /** One assumption */
  'GET /assumptions/{name}': {
    path: {
      /** Name of an assumption */
      name: string
    }
    answer: Schemas['Assumption']
  }
  /** Make this world behave otherwise */
  'PATCH /assumptions/{name}': {
    path: {
      /** Name of an assumption */
      name: string
    }
    body: {
      /** One of the alternatives */
      value: string
    }
    answer: Schemas['Assumption']
  }
  /** The world as a file */
  'GET /world': {
    answer: Schemas['WorldFile']
  }
  /** Load a file */
  'PUT /world': {
    body: Schemas['WorldFile']
    answer: Schemas['ReadyWorld']
  }
  /** The JSON Schema of world files */
  'GET /world.schema.json': {
    answer: unknown
  }
}
