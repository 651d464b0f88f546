import { type CommandSet, defineCommand, integer, parseDuration } from '../shared/commands.ts'

interface Token {
  token: string
  refresh_token: string | null
}

const commands = [
  defineCommand<Token>({
    name: 'token',
    description: 'Create an access token of any user',
    args: [['<user>', 'id of the user', integer(0)]],
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
]

export default { commands } satisfies CommandSet
