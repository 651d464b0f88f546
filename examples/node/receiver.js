import { createServer } from 'node:http'

// Receives notifications on port 3000 and prints one line for each.
createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  // Answer first: the real service waits 500 ms. Do slow work afterwards.
  response.end()
  const { topic, resource, user_id, attempts } = JSON.parse(body)
  console.log(`${topic}: ${resource} for ${user_id}, attempt ${attempts}`)
}).listen(3000, '127.0.0.1')
