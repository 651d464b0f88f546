import { copy } from '../parts/code.tsx'
import type { IconName } from '../parts/icons.tsx'
import { attempt, notify } from '../parts/toasts.tsx'
import { undo } from '../parts/undo.tsx'
import { visible } from '../parts/values.tsx'
import { type words, wordsOf } from '../screens/words.ts'
import { changeLanguage, fold, LANGUAGES, type Language } from '../words/words.ts'
import { basePath, consoleOf, formatAddress } from '../world/address.ts'
import { change, send } from '../world/client.ts'
import { type Theme, theme } from '../world/settings.ts'

const w = wordsOf('search')

type Verb = Exclude<keyof (typeof words)['search'], `${string}Arguments` | 'tokenCopied' | 'tryIt'>
type Arguments = Extract<keyof (typeof words)['search'], `${string}Arguments`> | ''

interface Action {
  verb: Verb
  icon: IconName
  /** What must follow the verb; empty: nothing. */
  needs: Arguments | string[]
  /** `label` is in the person's language, for the message with "undo". */
  run(given: string, label: string): Promise<unknown>
}

const first = (given: string): string => given.split(/\s+/)[0]!
const afterFirst = (given: string): string => given.slice(first(given).length).trim()
const action = (verb: Verb, icon: IconName, needs: Action['needs'], run: Action['run']): Action => ({
  ...{ verb, icon, needs, run },
})

/** Everything that can be done by typing it. What the server says about wrong arguments is shown as a message. */
const ACTIONS: Action[] = [
  action('advance', 'clock', 'advanceArguments', (by, label) => change(label, 'POST /clock/advance', { body: { by } })),
  action('due', 'clock', '', (_, label) => change(label, 'POST /clock/advance', { body: { to: 'next' } })),
  action('freeze', 'clock', '', (_, label) => change(label, 'PUT /clock', { body: { mode: 'frozen' } })),
  action('real', 'clock', '', (_, label) => change(label, 'PUT /clock', { body: { mode: 'real' } })),
  action('fault', 'faults', 'faultArguments', (given, label) =>
    change(label, 'POST /faults', {
      body: { match: { path: first(given) }, action: { status: Number(afterFirst(given) || 503) }, check_path: true },
    }),
  ),
  action('snapshot', 'worlds', 'snapshotArguments', (name, label) =>
    change(label, 'POST /snapshots', { body: { name } }),
  ),
  action('restore', 'worlds', 'snapshotArguments', (name, label) =>
    change(label, 'POST /snapshots/{name}/restore', { path: { name }, body: { keep_requests: true } }),
  ),
  action('reset', 'worlds', '', (_, label) => change(label, 'POST /reset', { body: { keep_requests: true } })),
  action('undo', 'worlds', '', () => undo(undefined, true)),
  action('ask', 'questions', 'askArguments', (given, label) =>
    change(label, 'POST /questions', { body: { item_id: first(given), text: afterFirst(given) } }),
  ),
  action('view', 'statistics', 'listingArguments', (item_id, label) =>
    change(label, 'POST /contacts', { body: { kind: 'phone_view', item_id } }),
  ),
  action('lead', 'credits', 'listingArguments', (item_id, label) =>
    change(label, 'POST /loans', { body: { item_id } }),
  ),
  action('simulate', 'live', 'simulateArguments', (days, label) =>
    change(label, 'POST /simulate', { body: { days: Number(days) } }),
  ),
  action('resend', 'webhooks', 'numberArguments', (id, label) =>
    change(label, 'POST /deliveries/{id}/resend', { path: { id: Number(id) } }),
  ),
  action('token', 'copy', 'tokenArguments', async (user) => {
    const { token } = await send('POST /tokens', { body: { user_id: Number(user) } })
    await copy(token)
    notify(w.tokenCopied)
  }),
  action('world', 'worlds', 'numberArguments', async (id) =>
    location.assign(consoleOf(basePath(location.pathname), Number(id) || 1)),
  ),
  action('theme', 'settings', ['auto', 'light', 'dark'], async (name) => {
    theme.value = name as Theme
  }),
  action('language', 'settings', LANGUAGES, (name) => changeLanguage(name as Language)),
]

/** What has a page of its own afterwards, on the screen of the icon. */
const OPENED: Verb[] = ['fault', 'ask', 'lead', 'resend']

/** Does it, and says what it made, with a link. */
async function perform({ verb, run, icon }: Action, given: string, label: string): Promise<void> {
  const result = await attempt(() => run(given, label))
  if (!OPENED.includes(verb)) return
  const { id } = result as { id: number | string }
  notify(
    <a href={formatAddress(icon, [id])}>
      {visible(label)} · {id}
    </a>,
  )
}

/** A line of the search: an action with its arguments, or with what must be typed still. */
interface TypedAction {
  title: string
  hint: string
  icon: IconName
  /** undefined: arguments are missing, and `completed` is the text so far. */
  run: (() => void) | undefined
  completed: string
}

/** The actions whose verb begins what was typed, or is begun by it. */
export function typedActions(text: string): TypedAction[] {
  const typed = fold(text.trimStart())
  return ACTIONS.flatMap((action) => {
    const { verb, icon, needs } = action
    const name = w[verb]
    const isWhole = typed === fold(name) || typed.startsWith(`${fold(name)} `)
    if (!isWhole && !(typed !== '' && fold(name).startsWith(typed.trimEnd()))) return []
    const given = isWhole ? text.trimStart().slice(name.length).trim() : ''
    const choices = Array.isArray(needs) ? needs : undefined
    const isReady = choices ? choices.includes(given) : needs === '' ? given === '' : given !== ''
    const label = `${name} ${given}`.trim()
    return {
      title: label,
      hint: isReady ? '' : choices ? choices.join(', ') : needs === '' ? '' : w[needs as Exclude<Arguments, ''>],
      icon,
      run: isReady ? () => void perform(action, given, label).catch(() => {}) : undefined,
      completed: `${name} `,
    }
  })
}
