import { escapeHtml } from '../../http/html.ts'
import { isSeller, type UserRow } from '../users/queries.ts'
import type { Parameters } from './parameters.ts'

const HIDDEN_FIELDS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method']

/** The page of `/authorization`, on which a person picks the test user. No scripts, no external resources. */
export const authorizationPage = (
  application: string,
  users: UserRow[],
  parameters: Parameters,
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(application)} asks for access</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color: #222 }
ul { list-style: none; padding: 0 }
button { font: inherit; width: 100%; text-align: left; padding: .6rem .8rem; margin: .15rem 0; border: 1px solid #bbb; border-radius: .4rem; background: #fff; cursor: pointer }
button:hover, button:focus { border-color: #2a5bd7; background: #f2f6ff }
small { color: #666 }
</style>
<h1>${escapeHtml(application)} asks for access</h1>
<p>Pick the test user whom it may act for. This is a sandbox: nobody here is real.</p>
<form method="post">
${HIDDEN_FIELDS.flatMap((name) => (parameters[name] === undefined ? [] : [`<input type="hidden" name="${name}" value="${escapeHtml(parameters[name])}">`])).join('\n')}
<ul>
${users.map(userButton).join('\n')}
</ul>
</form>
</html>
`

const userButton = (user: UserRow): string =>
  `<li><button name="user_id" value="${user.id}">${escapeHtml(user.nickname)} <small>${isSeller(user) ? 'seller' : 'buyer'} · ${escapeHtml(user.site_id)} · ${user.id}</small></button>`
