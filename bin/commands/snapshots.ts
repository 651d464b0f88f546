import { path } from '../client.ts'
import { defineCommand } from '../command.ts'
import { table } from '../output.ts'

const NAME: [string, string] = ['<name>', '1 to 64 lower case letters, digits, - and _']

export const snapshotCommands = [
  defineCommand({
    name: 'reset',
    description: 'Back to the world’s starting point',
    examples: ['reset', 'reset --url http://127.0.0.1:4400/w/2'],
    run: ({ client }) => client.call('POST /reset'),
    format: (_, { client }) => `world ${client.world} is as it was at its beginning`,
  }),
  defineCommand<{ name: string }>({
    name: 'snapshot create',
    description: 'Keep the world’s present state under a name; one of the same name is replaced',
    args: [NAME],
    isDefault: true,
    examples: ['snapshot before-checkout'],
    run: ({ client, args: [name] }) => client.call('POST /snapshots', { name }),
    format: ({ name }) => `kept as ${name}; go back to it with \`mercadito restore ${name}\``,
  }),
  defineCommand<{ results: { name: string }[] }>({
    name: 'snapshot list',
    description: 'Names of the kept states',
    examples: ['snapshot list'],
    run: ({ client }) => client.call('GET /snapshots?limit=1000'),
    format: ({ results }) =>
      table(
        ['name'],
        results.map(({ name }) => [name]),
      ),
  }),
  defineCommand({
    name: 'snapshot delete',
    description: 'Forget a kept state',
    args: [NAME],
    examples: ['snapshot delete before-checkout'],
    run: ({ client, args: [name] }) => client.call(path`DELETE /snapshots/${name}`),
    format: (_, { args: [name] }) => `${name} is forgotten`,
  }),
  defineCommand({
    name: 'restore',
    description: 'Put a kept state in the world’s place: data, clock and tokens',
    args: [NAME],
    examples: ['restore before-checkout'],
    run: ({ client, args: [name] }) => client.call(path`POST /snapshots/${name}/restore`),
    format: (_, { client, args: [name] }) => `world ${client.world} is as it was in ${name}`,
  }),
]
