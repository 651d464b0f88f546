/** The program under test: the carts that have a listing. The sandbox does not emulate them. */
const { MERCADITO_URL = 'http://127.0.0.1:4400' } = process.env

const path = '/carts/items/MLA1400000001?app_version=v2'
const response = await fetch(MERCADITO_URL + path)
if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
const { carts = [] } = await response.json()
process.stdout.write(`in ${carts.length} carts ${carts.join(' ')}\n`)
