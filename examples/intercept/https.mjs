import { get } from 'node:https'

const headers = { authorization: `Bearer ${process.env.MERCADITO_TOKEN}` }
get('https://api.mercadolibre.com/users/me', { headers }, (answer) => answer.pipe(process.stdout))
