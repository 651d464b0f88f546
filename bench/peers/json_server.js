import { readFileSync } from 'node:fs'
import jsonServer from 'json-server'

// json-server with a database in memory, through the package's own module: nothing logged, compressed or indented.

const { rows, fixed } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { questions, found } = rows
// It sums nothing: the series is an object that it has.
const series = JSON.parse(fixed.find(({ row }) => row === 'series').body)

const router = jsonServer.router({ questions, found, series, asked: [] })
const server = jsonServer
  .create()
  .set('json spaces', 0)
  .use(router)
  .listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
  })
process.on('SIGTERM', () => process.exit(0))
// Each round begins without what the last one made: it looks through all of them to find the next id.
process.on('SIGUSR2', () => {
  router.db.get('asked').value().length = 0
})
