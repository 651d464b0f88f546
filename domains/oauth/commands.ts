import type { Static } from '@sinclair/typebox'
import {
  type CommandSet,
  defineCommand,
  fields,
  integer,
  parseDuration,
  parseUser,
  path,
  readOrWrite,
  type Setting,
} from '../shared/commands.ts'
import type { Application } from './control/index.ts'
import type { CreatedToken } from './control/tokens.ts'

/** Undefined: the flag was not given. */
const isOn = (value: string | undefined) => (value === undefined ? undefined : value === 'on')
const onOff = (flags: string, description: string): Setting => ({ flags, description, choices: ['on', 'off'] })

const commands = [
  defineCommand<Static<typeof CreatedToken>>({
    name: 'token',
    description: 'Create an access token of any user',
    args: [['<user>', 'id or nickname of the user', parseUser]],
    flags: [
      { flags: '--token <text>', description: 'the text of the token; default: a new one', isSecret: true },
      {
        flags: '--expires-in <duration>',
        description: 'its lifetime in world time; default: it does not expire',
        parse: parseDuration,
      },
      {
        flags: '--application <id>',
        description: 'its application; default: the first one of the world',
        parse: integer(0),
      },
      { flags: '--refresh', description: 'create a refresh token, too; it is printed on a second line' },
    ],
    examples: [
      'token 2500000101',
      'token 2500000101 --expires-in 6h --refresh',
      'token 2500000101 --token TOKEN-DE-PRUEBA',
    ],
    run: ({ client, args: [user_id], flags: { token, expiresIn, application: application_id, refresh } }) =>
      client.call('POST /tokens', {
        user_id,
        application_id,
        token,
        expires_in: expiresIn === undefined ? undefined : Math.floor(expiresIn / 1000),
        refresh,
      }),
    // Only the tokens, so that a script can read them.
    format: ({ token, refresh_token }) => [token, refresh_token].filter((text) => text !== null).join('\n'),
  }),
  defineCommand<Static<typeof Application>>({
    name: 'world app',
    description: 'Show or change an application: redirect address, demand PKCE, block it',
    args: [['[application]', 'its client_id; default: the first one of the world', integer(0)]],
    flags: [
      { flags: '--redirect-uri <url>', description: 'where authorizations go back to' },
      onOff('--use-pkce <on|off>', 'authorizations need a code_challenge'),
      onOff('--blocked <on|off>', 'each of its calls gets 401 unauthorized_scopes'),
    ],
    examples: [
      'world app',
      'world app --redirect-uri https://example.com/callback',
      'world app 1055337457 --use-pkce on',
    ],
    async run({ client, args: [id], flags: { redirectUri: redirect_uri, usePkce, blocked } }) {
      const found: number = id ?? (await client.call('GET /applications?limit=1')).results[0].id
      const changes = { redirect_uri, use_pkce: isOn(usePkce), blocked: isOn(blocked) }
      return readOrWrite(client, path`/applications/${found}`, changes, 'PATCH')
    },
    format: ({ id, name, redirect_uri, use_pkce, blocked }) => fields({ id, name, redirect_uri, use_pkce, blocked }),
  }),
  defineCommand<{ id: number; nickname: string; operator: boolean; token: string | null }>({
    name: 'world user',
    description: 'Change a user: another password, operator',
    args: [['<user>', 'id or nickname of the user', parseUser]],
    flags: [
      { flags: '--password <text>', description: 'another one ends all tokens and grants of the user', isSecret: true },
      onOff('--operator <on|off>', 'cannot authorize applications'),
    ],
    examples: ['world user 2500000101 --password otra', 'world user 2500000101 --operator on'],
    run: ({ client, args: [id], flags: { password, operator } }) =>
      client.call(path`PATCH /users/${id}`, { password, operator: isOn(operator) }),
    format: ({ id, nickname, operator, token }) =>
      fields({ id, nickname, operator, 'token that does not expire': token === null ? 'none' : 'yes' }),
  }),
]

export default { commands } satisfies CommandSet
