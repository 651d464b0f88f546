import { type Static, Type } from '@sinclair/typebox'
import { applicationId, derived, worldOfApplication, worldOfToken } from '../../db/ids.ts'
import { insertInto } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { exportSettings, FileSetting, importSetting } from '../notifications/world_file.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { Instant, Nullable } from '../shared/schemas.ts'
import { VisibleAscii } from '../shared/texts.ts'
import { Flag, Int, OptionalInstant, Text, UserRef } from '../shared/world_file/fields.ts'
import { duplicate } from '../shared/world_file/import_elements.ts'
import { mapPages } from '../shared/world_file/operations.ts'
import { testUsers } from '../users/queries.ts'
import { type ExportContext, type ImportContext, type WorldFileSection, worldFileList } from '../world_file.ts'
import { issueCredentials } from './application_operations.ts'
import { type Grant, issueAccessToken } from './operations.ts'
import { DEFAULT_REDIRECT_URI } from './redirects.ts'
import { access_token, application, application_grant } from './tables.ts'
import { allApplications, allTokens, grantsOf } from './world_file_queries.ts'

const FileApplication = StrictBody(
  {
    id: Type.Optional(Int('client_id; default: a new one', 1)),
    secret: Type.Optional(VisibleAscii('client_secret; default: a new one', 'mi-secreto')),
    number: Type.Optional(
      Int('Last nine digits of the id. It replaces id and secret if the world generated these', 0, 999_999_999),
    ),
    name: Type.Optional(Text('Name', 100, { default: 'mercadito' })),
    redirect_uri: Type.Optional(Text('Redirect URI of OAuth', 2048, { default: DEFAULT_REDIRECT_URI })),
    use_pkce: Flag('Authorizations need a code_challenge'),
    blocked: Flag('Every call of the application is refused'),
    notifications: Type.Optional(FileSetting),
  },
  { title: 'FileApplication', description: 'An application that acts for users' },
)
type FileApplication = Static<typeof FileApplication>

const ApplicationPosition = Type.Optional(Int('Index in `applications`, from 0', 0, undefined, { default: 0 }))

const FileGrant = StrictBody(
  {
    user_id: UserRef('User who granted access'),
    application: ApplicationPosition,
    date_created: OptionalInstant('Time of the grant; default: world time'),
    last_call: Type.Optional(
      Instant(
        'Time of its last call, to the day; without it the next call counts as the first',
        '2026-03-02T12:00:00.000Z',
      ),
    ),
  },
  { title: 'FileGrant', description: 'A user has granted an application access' },
)

const FileToken = StrictBody(
  {
    user_id: UserRef('User of the token'),
    application: ApplicationPosition,
    token: Type.Optional(VisibleAscii('Text of the token; default: a new one', 'mi-token')),
    expires_at: Type.Optional(
      Nullable(Instant('Time of expiry', '2026-03-02T18:00:00.000Z'), {
        description: 'Time of expiry, by the world’s clock; null: never',
        default: null,
        'x-message': 'must be an ISO 8601 date-time, or null',
      }),
    ),
  },
  { title: 'FileToken', description: 'An access token' },
)

/** If the file has none of these lists, the world gets the credentials of a new world. */
const hasNoList = ({ hasList }: ImportContext) => !['applications', 'grants', 'tokens'].some(hasList)

const insertApplication = insertInto(application)

const applications = worldFileList({
  description: 'Applications; default: one, to which all test users have granted access',
  element: FileApplication,
  maxElements: 1000,
  async import(context, list) {
    if (hasNoList(context)) return issueCredentials(context.q, context, context.now)
    await list.each((application, place) => importApplication(context, application, place))
    if (!list.isPresent) await importApplication(context, {}, 'applications[0]')
    if (context.applications.length === 0) throw badRequest('applications: must have at least one')
  },
  // An import generates other ids and secrets for generated applications: a file has only their number.
  async *export({ q, id: world, nameSecret }) {
    const settings = await exportSettings(q)
    const credentials = (id: number, secret: string) => {
      if (nameSecret) return { id, secret: nameSecret('secret', secret) }
      return worldOfApplication(id) === world ? { number: id % 1e9 } : { id, secret }
    }
    yield (await sortedApplications({ q, id: world })).map(({ id, secret, name, redirect_uri, use_pkce, blocked }) => ({
      ...credentials(id, secret),
      name,
      redirect_uri,
      ...(use_pkce && { use_pkce: true }),
      ...(blocked && { blocked: true }),
      ...(settings.has(id) && { notifications: settings.get(id) }),
    }))
  },
})

async function importApplication(context: ImportContext, application: FileApplication, place: string): Promise<void> {
  const { q, id: world, key, applications } = context
  const { id: givenId, number, secret, name = 'mercadito', redirect_uri = DEFAULT_REDIRECT_URI } = application
  const { use_pkce = false, blocked = false } = application
  if (givenId !== undefined && number !== undefined)
    throw badRequest(`${place}.number: must not be given together with id`)
  const label = applications.length === 0 ? 'application' : `application ${applications.length}`
  const id = givenId ?? applicationId(world, number ?? Number.parseInt(derived(key, label, 7), 16))
  const row = {
    ...{ id, secret: secret ?? derived(key, `application secret ${id}`, 32), name, redirect_uri },
    ...{ use_pkce: use_pkce ? 1 : 0, blocked: blocked ? 1 : 0 },
  }
  if (!(await insertApplication(q, row))) throw duplicate(`${place}.${givenId === undefined ? 'number' : 'id'}`)
  applications.push(id)
  if (application.notifications) await importSetting(context, id, application.notifications, `${place}.notifications.`)
}

/** Generated applications come first: their ids differ between worlds, and the order must not depend on them. */
async function sortedApplications({ q, id: world }: Pick<ExportContext, 'q' | 'id'>) {
  const isChosen = ({ id }: { id: number }) => (worldOfApplication(id) === world ? 0 : 1)
  return (await allApplications(q)).sort((a, b) => isChosen(a) - isChosen(b) || a.id - b.id)
}

const insertGrant = insertInto(application_grant)

const grants = worldFileList({
  description: 'Grants. Default: those that the tokens need',
  element: FileGrant,
  maxElements: 200_000,
  async import(context, list) {
    await list.each(async (grant, place) => {
      const date_created = context.instantOf(`${place}.date_created`, grant.date_created)
      const last_call = grant.last_call === undefined ? null : context.instantOf(`${place}.last_call`, grant.last_call)
      if (!(await insertGrant(context.q, { ...resolveGrant(context, grant, place), date_created, last_call })))
        throw duplicate(place)
    })
  },
  async *export(context) {
    for (const [application, { id }] of (await sortedApplications(context)).entries())
      yield* mapPages(grantsOf(context.q, id), ({ user_id, date_created, last_call }) => ({
        user_id,
        application,
        date_created: utcOrNull(date_created),
        ...(last_call !== null && { last_call: utcOrNull(last_call) }),
      }))
  },
})

function resolveGrant(
  { users, applications }: ImportContext,
  { user_id, application = 0 }: { user_id: number | string; application?: number },
  place: string,
): Grant {
  const application_id = applications[application]
  if (application_id === undefined) throw badRequest(`${place}.application: the file has no application ${application}`)
  return { application_id, user_id: users.resolve(`${place}.user_id`, user_id) }
}

const insertToken = insertInto(access_token)

const tokens = worldFileList({
  description: 'Access tokens; default: one for each test user, which does not expire',
  element: FileToken,
  maxElements: 200_000,
  async import(context, list) {
    const { q, now, applications } = context
    const ensureGrant = async (grant: Grant) => {
      if (!context.hasList('grants')) await insertGrant(q, { ...grant, date_created: now, last_call: now })
    }
    await list.each(async ({ token, expires_at, ...rest }, place) => {
      const grant = resolveGrant(context, rest, place)
      const end = expires_at ? context.instantOf(`${place}.expires_at`, expires_at) : null
      const row = { ...grant, expires_at: end }
      await ensureGrant(grant)
      if (token === undefined) await issueAccessToken(q, context, row, now)
      else if (!(await insertToken(q, { ...row, token }))) throw duplicate(`${place}.token`)
    })
    if (list.isPresent || hasNoList(context)) return
    for (const { id: user_id } of await testUsers(q)) {
      const grant = { application_id: applications[0]!, user_id }
      await ensureGrant(grant)
      await issueAccessToken(q, context, { ...grant, expires_at: null }, now)
    }
  },
  async *export(context) {
    const { nameSecret } = context
    const textOf = (token: string) => {
      if (nameSecret) return { token: nameSecret('token', token) }
      return worldOfToken(token) === context.id ? {} : { token }
    }
    const applications = await sortedApplications(context)
    const positions = new Map(applications.map(({ id }, position) => [id, position]))
    yield* mapPages(allTokens(context.q), ({ token, application_id, user_id, expires_at }) => ({
      user_id,
      application: positions.get(application_id),
      ...textOf(token),
      expires_at: utcOrNull(expires_at),
    }))
  },
})

export const worldFile: WorldFileSection = {
  after: ['users'],
  lists: { applications, grants, tokens },
  tables: {
    application: 'exported',
    application_grant: 'exported',
    access_token: 'exported',
    refresh_token: 'omitted',
    authorization_code: 'omitted',
  },
}
