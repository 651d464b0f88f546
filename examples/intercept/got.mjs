import got from 'got'

const headers = { authorization: `Bearer ${process.env.MERCADITO_TOKEN}` }
process.stdout.write(await got('https://api.mercadolibre.com/users/me', { headers }).text())
