import { path } from '../client.ts'
import { command } from '../command.ts'
import { table } from '../output.ts'

const NAME: [string, string] = ['<name>', '1 to 64 lower case letters, digits, - and _']

export const snapshotCommands = [
  command({
    words: 'reset',
    about: 'Back to the world’s starting point',
    examples: ['reset', 'reset --url http://127.0.0.1:4400/w/2'],
    run: ({ client }) => client.call('POST /reset'),
    show: (_, { client }) => `world ${client.world} is as it was at its beginning`,
  }),
  command<{ name: string }>({
    words: 'snapshot create',
    about: 'Keep the world’s present state under a name; one of the same name is replaced',
    args: [NAME],
    byDefault: true,
    examples: ['snapshot before-checkout'],
    run: ({ client, args: [name] }) => client.call('POST /snapshots', { name }),
    show: ({ name }) => `kept as ${name}; go back to it with \`mercadito restore ${name}\``,
  }),
  command<{ results: { name: string }[] }>({
    words: 'snapshot list',
    about: 'Names of the kept states',
    examples: ['snapshot list'],
    run: ({ client }) => client.call('GET /snapshots?limit=1000'),
    show: ({ results }) =>
      table(
        ['name'],
        results.map(({ name }) => [name]),
      ),
  }),
  command({
    words: 'snapshot delete',
    about: 'Forget a kept state',
    args: [NAME],
    examples: ['snapshot delete before-checkout'],
    run: ({ client, args: [name] }) => client.call(path`DELETE /snapshots/${name}`),
    show: (_, { args: [name] }) => `${name} is forgotten`,
  }),
  command({
    words: 'restore',
    about: 'Put a kept state in the world’s place: data, clock and tokens',
    args: [NAME],
    examples: ['restore before-checkout'],
    run: ({ client, args: [name] }) => client.call(path`POST /snapshots/${name}/restore`),
    show: (_, { client, args: [name] }) => `world ${client.world} is as it was in ${name}`,
  }),
]
