import type { Schemas } from '../lib/types.ts'

// What the console is compared with: a table without styles or links, which follows the same stream.

type Row = Schemas['ListedRequest']

const page = (rows: string, script = '') => `<!doctype html>
<meta charset="utf-8">
<title>Requests</title>
<table>
<thead><tr><th>Request<th>Status<th>User<th>ms<th>Time</thead>
<tbody>${rows}</tbody>
</table>
${script}`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A page with the same rows as the list of requests of the console. */
export const plainTable = (rows: Row[]): string =>
  page(
    rows
      .map(
        ({ method, path, response, user_id, world_time }) =>
          `<tr><td>${method} ${escaped(path)}<td>${response.status}<td>${user_id}<td>${response.ms}<td>${world_time.slice(11, 19)}`,
      )
      .join('\n'),
  )

/** A page whose rows are the latest calls, as many as the console has in its document. */
export const plainStream = (maxRows: number): string =>
  page(
    '<tr><td colspan="5">',
    `<script>
const body = document.querySelector('tbody')
new EventSource('/_sandbox/events?kinds=request').addEventListener('request', ({ data }) => {
  const { method, path, status, user_id, ms, at } = JSON.parse(data)
  const row = body.insertRow(0)
  for (const text of [method + ' ' + path, status, user_id, ms, at.slice(11, 19)]) row.insertCell().textContent = text
  if (body.rows.length > ${maxRows}) body.deleteRow(-1)
})
</script>`,
  )
