import { createHash } from 'node:crypto'
import type { Language } from '../../http/errors/checks.ts'
import { escapeHtml } from '../../http/html.ts'
import { isSeller, type UserRow } from '../users/queries.ts'
import type { Parameters } from './parameters.ts'

const HIDDEN_FIELDS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method']

const TEXTS = {
  en: {
    asks: 'asks for access',
    pick: 'Pick the test user whom it may act for. This is a sandbox: nobody here is real.',
    seller: 'seller',
    buyer: 'buyer',
  },
  es: {
    asks: 'pide acceso',
    pick: 'Elige el usuario de prueba en cuyo nombre podrá actuar. Esto es un sandbox: aquí nadie es real.',
    seller: 'vendedor',
    buyer: 'comprador',
  },
  pt: {
    asks: 'pede acesso',
    pick: 'Escolha o usuário de teste em nome de quem ele poderá agir. Isto é um sandbox: ninguém aqui é real.',
    seller: 'vendedor',
    buyer: 'comprador',
  },
}
type Text = keyof typeof TEXTS.en

/** Follows what the person has chosen in the console, which only the browser knows. */
const SCRIPT = `
const texts = ${JSON.stringify(TEXTS)}
try {
  const { 'mercadito.theme': theme, 'mercadito.language': language } = localStorage
  if (theme) document.documentElement.dataset.theme = theme
  if (Object.hasOwn(texts, language)) {
    document.documentElement.lang = language
    for (const element of document.querySelectorAll('[data-text]')) element.textContent = texts[language][element.dataset.text]
  }
} catch {}
`

/** Allows the script above, the style sheet of the console, and nothing else. */
export const pagePolicy = (): string =>
  `default-src 'none'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'`

/** The page of `/authorization`, on which a person picks the test user. It looks like the console. */
export function authorizationPage(
  application: string,
  users: UserRow[],
  parameters: Parameters,
  language: Language,
): string {
  const text = (name: Text) => `<span data-text="${name}">${TEXTS[language][name]}</span>`
  const hidden = HIDDEN_FIELDS.flatMap((name) =>
    parameters[name] === undefined
      ? []
      : [`<input type="hidden" name="${name}" value="${escapeHtml(parameters[name])}">`],
  )
  const buttons = users.map(
    (user) =>
      `<li><button name="user_id" value="${user.id}">${escapeHtml(user.nickname)} <small class="muted">${text(isSeller(user) ? 'seller' : 'buyer')} · ${escapeHtml(user.site_id)} · ${user.id}</small></button>`,
  )
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(application)} · mercadito</title>
<link rel="stylesheet" href="_sandbox/console/console.style.css">
<style>
main { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
li button { width: 100%; justify-content: space-between; margin: .15rem 0 }
</style>
<main class="stack">
<h1>${escapeHtml(application)} ${text('asks')}</h1>
<p>${text('pick')}</p>
<form method="post" class="card">
${hidden.join('\n')}
<ul>
${buttons.join('\n')}
</ul>
</form>
</main>
<script>${SCRIPT}</script>
</html>
`
}
