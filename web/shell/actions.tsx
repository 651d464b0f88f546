import { copy } from '../parts/code.tsx'
import type { IconName } from '../parts/icons.tsx'
import { visible } from '../parts/text.tsx'
import { attempt, notify } from '../parts/toasts.tsx'
import { undo } from '../parts/undo.tsx'
import { words } from '../screens/words.ts'
import { changeLanguage, LANGUAGES, type Language } from '../words/words.ts'
import { basePath, consoleOf, formatAddress } from '../world/address.ts'
import { change, send } from '../world/client.ts'
import { type Theme, theme } from '../world/settings.ts'

type Verb = Exclude<keyof ReturnType<typeof words>['search'], `${string}Arguments` | 'tokenCopied' | 'tryIt'>
type Arguments = Extract<keyof ReturnType<typeof words>['search'], `${string}Arguments`> | ''

interface Action {
  verb: Verb
  icon: IconName
  /** What must follow the verb; empty: nothing. */
  needs: Arguments | string[]
  /** The screen of what it makes, by its id. */
  screen?: string
  /** `label` is in the person's language, for the message with "undo". */
  run(given: string, label: string): Promise<unknown>
}

const first = (given: string): string => given.split(/\s+/)[0]!
const afterFirst = (given: string): string => given.slice(first(given).length).trim()

/** Everything that can be done by typing it. What the server says about wrong arguments is shown as a message. */
export const ACTIONS: Action[] = [
  {
    ...{ verb: 'advance', icon: 'clock', needs: 'advanceArguments' },
    run: (by, label) => change(label, 'POST /clock/advance', { body: { by } }),
  },
  {
    ...{ verb: 'due', icon: 'clock', needs: '' },
    run: (_, label) => change(label, 'POST /clock/advance', { body: { to: 'next' } }),
  },
  {
    ...{ verb: 'freeze', icon: 'clock', needs: '' },
    run: (_, label) => change(label, 'PUT /clock', { body: { mode: 'frozen' } }),
  },
  {
    ...{ verb: 'real', icon: 'clock', needs: '' },
    run: (_, label) => change(label, 'PUT /clock', { body: { mode: 'real' } }),
  },
  {
    ...{ verb: 'fault', icon: 'faults', needs: 'faultArguments' },
    screen: 'faults',
    run: (given, label) =>
      change(label, 'POST /faults', {
        body: { match: { path: first(given) }, action: { status: Number(afterFirst(given) || 503) }, check_path: true },
      }),
  },
  {
    ...{ verb: 'snapshot', icon: 'worlds', needs: 'snapshotArguments' },
    run: (name, label) => change(label, 'POST /snapshots', { body: { name } }),
  },
  {
    ...{ verb: 'restore', icon: 'worlds', needs: 'snapshotArguments' },
    run: (name, label) =>
      change(label, 'POST /snapshots/{name}/restore', { path: { name }, body: { keep_requests: true } }),
  },
  {
    ...{ verb: 'reset', icon: 'worlds', needs: '' },
    run: (_, label) => change(label, 'POST /reset', { body: { keep_requests: true } }),
  },
  { ...{ verb: 'undo', icon: 'worlds', needs: '' }, run: () => undo(undefined, true) },
  {
    ...{ verb: 'ask', icon: 'questions', needs: 'askArguments' },
    screen: 'questions',
    run: (given, label) =>
      change(label, 'POST /questions', { body: { item_id: first(given), text: afterFirst(given) } }),
  },
  {
    ...{ verb: 'view', icon: 'statistics', needs: 'listingArguments' },
    run: (item_id, label) => change(label, 'POST /contacts', { body: { kind: 'phone_view', item_id } }),
  },
  {
    ...{ verb: 'lead', icon: 'credits', needs: 'listingArguments' },
    screen: 'credits',
    run: (item_id, label) => change(label, 'POST /loans', { body: { item_id } }),
  },
  {
    ...{ verb: 'simulate', icon: 'live', needs: 'simulateArguments' },
    run: (days, label) => change(label, 'POST /simulate', { body: { days: Number(days) } }),
  },
  {
    ...{ verb: 'resend', icon: 'webhooks', needs: 'numberArguments' },
    screen: 'webhooks',
    run: (id, label) => change(label, 'POST /deliveries/{id}/resend', { path: { id: Number(id) } }),
  },
  {
    ...{ verb: 'token', icon: 'copy', needs: 'tokenArguments' },
    run: async (user) => {
      const { token } = await send('POST /tokens', { body: { user_id: Number(user) } })
      await copy(token)
      notify(words().search.tokenCopied)
    },
  },
  {
    ...{ verb: 'world', icon: 'worlds', needs: 'numberArguments' },
    run: async (id) => location.assign(consoleOf(basePath(location.pathname), Number(id) || 1)),
  },
  {
    ...{ verb: 'theme', icon: 'settings', needs: ['auto', 'light', 'dark'] },
    run: async (name) => {
      theme.value = name as Theme
    },
  },
  { ...{ verb: 'language', icon: 'settings', needs: LANGUAGES }, run: (name) => changeLanguage(name as Language) },
]

/** Does it, and says what it made, with a link. */
async function perform({ run, screen }: Action, given: string, label: string): Promise<void> {
  const result = await attempt(() => run(given, label))
  const { id } = (result ?? {}) as { id?: number | string }
  if (screen === undefined || id === undefined) return
  notify(
    <a href={formatAddress(screen, [id])}>
      {visible(label)} · {id}
    </a>,
  )
}

/** A line of the search: an action with its arguments, or with what must be typed still. */
export interface TypedAction {
  title: string
  hint: string
  icon: IconName
  /** undefined: arguments are missing, and `completed` is the text so far. */
  run: (() => void) | undefined
  completed: string
}

/** The actions whose verb begins what was typed, or is begun by it. */
export function typedActions(text: string, fold: (text: string) => string): TypedAction[] {
  const w = words().search
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
