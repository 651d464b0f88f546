/** The program under test: the sum of the orders of a seller. The sandbox does not emulate orders, so that it needs a stub. */
const { MERCADITO_URL = 'http://127.0.0.1:4400' } = process.env

const response = await fetch(`${MERCADITO_URL}/orders/search?seller=2500000101&offset=0`)
if (!response.ok) throw new Error(`/orders/search: ${response.status} ${await response.text()}`)
const { results, paging } = await response.json()
const total = results.reduce((sum, { total_amount }) => sum + total_amount, 0)
process.stdout.write(`${paging.total} orders, ${total} in all\n`)
