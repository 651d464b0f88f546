/** The program under test: the promotions of a listing. The sandbox does not emulate them, so that it needs a stub. */
const { MERCADITO_URL = 'http://127.0.0.1:4400' } = process.env

const path = '/seller-promotions/items/MLA1400000001?app_version=v2'
const response = await fetch(MERCADITO_URL + path)
if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
for (const { id, price } of await response.json()) process.stdout.write(`${id}: ${price}\n`)
