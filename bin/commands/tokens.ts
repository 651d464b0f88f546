import { defineCommand } from '../command.ts'
import { integer, parseDurationMs } from '../settings.ts'

interface Token {
  token: string
  refresh_token: string | null
}

export const tokenCommands = [
  defineCommand<Token>({
    name: 'token',
    description: 'Make an access token of any user',
    args: [['<user>', 'id of the user', integer(0)]],
    flags: [
      { flags: '--token <text>', description: 'the text of the token; made where none is given', isSecret: true },
      {
        flags: '--expires-in <duration>',
        description: 'how long it lives by the world’s clock; for ever without',
        parse: parseDurationMs,
      },
      {
        flags: '--application <id>',
        description: 'the application that acts with it; the world’s first without',
        parse: integer(0),
      },
      { flags: '--refresh', description: 'make a refresh token too, on a second line' },
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
    // Alone on its line, so that a script can take it.
    format: ({ token, refresh_token }) => [token, refresh_token].filter((text) => text !== null).join('\n'),
  }),
]
