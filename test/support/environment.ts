/** What `npm test` and the developer of a test give to tests themselves. */
const OF_TESTS = ['MERCADITO_TEST_DATABASE', 'MERCADITO_CHROMIUM']

// The settings of whoever runs the tests, such as the address of a server, must not reach what tests start.
for (const name of Object.keys(process.env))
  if (name.startsWith('MERCADITO_') && !OF_TESTS.includes(name)) delete process.env[name]
