const headers = { authorization: `Bearer ${process.env.MERCADITO_TOKEN}` }
const answer = await fetch('https://api.mercadolibre.com/users/me', { headers })
process.stdout.write(await answer.text())
