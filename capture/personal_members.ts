/** How a value is replaced; `keep`: not at all. */
export type Kind =
  /** Digits of an id: as many others. */
  | 'id'
  /** Each word by another one: names of persons, streets. */
  | 'words'
  /** Letters by letters, digits by digits: nicknames, postal codes, numbers of documents and telephones. */
  | 'code'
  | 'email'
  /** Latitude or longitude. */
  | 'position'
  /** Date of birth. */
  | 'date'
  /** What a person has written: every letter and digit. */
  | 'writing'
  /** Tokens, passwords: by a name such as `***token-1***`. */
  | 'secret'
  /** A text of the service: only personal data that is known from elsewhere. */
  | 'text'
  | 'keep'

const of = (kind: Kind, names: string): [string, Kind][] => names.split(/\s+/).map((name) => [name, kind])

/**
 * Members of bodies and parameters of addresses by their names, or by the name of the object that contains them and theirs.
 * Members that are not here are replaced if their value is not of a technical form.
 */
export const MEMBER_KINDS: ReadonlyMap<string, Kind> = new Map([
  ...of(
    'id',
    `user_id seller_id buyer_id owner_id from_id to_id sender_id receiver_id caller caller_id collector_id payer_id
    customer_id client_id application_id app_id driver_id from to seller buyer user user.id users.id from.id to.id seller.id
    buyer.id owner.id sender.id receiver.id caller.id collector.id payer.id customer.id driver.id address.id origin.id cust_id
    destination.id receiver_address.id sender_address.id address_id`,
  ),
  ...of(
    'words',
    `first_name last_name full_name second_name surname name receiver_name holder_name contact_name legal_name
    business_name corporate_name brand_name contact address address_line address_line_1 address_line_2 street street_name
    apartment floor neighborhood neighborhood.name municipality.name`,
  ),
  ...of(
    'code',
    `nickname user_name username login phone phone_number phone.number alternative_phone.number receiver_phone.number
    tracking_number identification.number document.number area_code extension mobile cellphone telephone fax
    receiver_phone street_number zip zip_code postal_code identification identification_number doc_number document
    document_number tax_id taxpayer_id vat cuit cuil cpf cnpj rfc curp rut dni nit passport ip ip_address
    doc_type_number additional_info.value`,
  ),
  ...of('email', 'email mail e_mail'),
  ...of('position', 'latitude longitude lat lng lon'),
  ...of('date', 'birth_date birthdate date_of_birth birthday'),
  ...of(
    'writing',
    `text comment comments description plain_text plain note notes observation observations references subject content
    message feedback reply values.name`,
  ),
  ...of(
    'secret',
    'access_token refresh_token client_secret secret password token code_verifier code_challenge scroll_id',
  ),
  ...of(
    'text',
    `title error cause permalink resource q query body.message error_description cause.references
    reason path external_reference shipping_items.description tracking_method shipping_option.name shipping_method.name problem
    attributes.name sale_terms.name attribute_combinations.name variation_attributes.name sort.name available_sorts.name`,
  ),
  ...of(
    'keep',
    `id status city city.id city.name state state.id state.name country country.id country.name site category
    available_filters.name filters.name orders.name available_orders.name neighborhoods label attributes callback ids tags
    option_id shipment_ids order_id pack_id payment_id shipment_id shipping_id claim_id claim_ids message_resources.name
    message_resources.id reason_id dimensions geolocation_type geolocation_source period
    thumbnail_id picture_ids user_product_id inventory_id domain_id seller_experience identification.type`,
  ),
])

/** Members of errors and of their causes, whose texts are compared. */
export const ERROR_TEXTS = new Set(['message', 'error', 'cause', 'code', 'error_description'])
/** Any other member with a secret. */
export const SECRET_MEMBER = /token|secret|password|passwd|cookie|session|api_?key|signature$/i
/** Segments of a path after which there is the id of a user. */
export const BEFORE_USER = new Set([
  'users',
  'sellers',
  'buyers',
  'customers',
  'questions_blacklist',
  'order_blacklist',
  'user',
])
/** Calls whose answers have no personal data. */
export const PUBLIC_CALL =
  /^(?:OPTIONS|GET \/(?:sites|currencies|categories|countries)(?:\/[^/]+)?\/?$|GET \/shipments\/\d+\/carrier\/?$|DELETE \/questions\/\d+\/?$)/
/** Paths whose answer is a user. */
export const USER_PATH = /^\/users\/[^/]+\/?$/
/** The queries of these paths only read, although they are sent with POST. */
export const READ_BY_POST = /^\/shipping\/flex\/sites\/[^/]+\/configuration\/v3\/?$/
