import axios from 'axios'

const headers = { authorization: `Bearer ${process.env.MERCADITO_TOKEN}` }
const { data } = await axios.get('https://api.mercadolibre.com/users/me', { headers, responseType: 'text' })
process.stdout.write(data)
