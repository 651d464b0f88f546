import { createServer } from 'node:http'

createServer(async (request, response) => {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  // At once, as the service wants it; the work comes after.
  response.end()
  const { topic, resource, user_id, attempts } = JSON.parse(body)
  console.log(`${topic}: ${resource} for ${user_id}, attempt ${attempts}`)
}).listen(3000, '127.0.0.1')
