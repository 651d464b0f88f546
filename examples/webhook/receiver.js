import { createServer } from 'node:http'

// Answers each notification at once, as the service wants it, and only then does something about it.
createServer(async (request, response) => {
  const body = (await Array.fromAsync(request)).join('')
  response.end()
  const { topic, resource, user_id, attempts } = JSON.parse(body)
  console.log(`${topic}: ${resource} of user ${user_id} (attempt ${attempts})`)
}).listen(3000, '127.0.0.1')
