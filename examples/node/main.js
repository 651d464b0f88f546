import { answerAll } from './answers.js'

const { MERCADITO_URL, MERCADITO_TOKEN } = process.env
const count = await answerAll(MERCADITO_URL, MERCADITO_TOKEN, '¡Hola! Sí, tenemos stock.')
console.log(`${count} questions answered`)
