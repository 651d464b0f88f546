import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy_as.tsx'
import { NoListings } from '../../parts/feedback.tsx'
import { Input } from '../../parts/form.tsx'
import { Changing } from '../../parts/page.tsx'
import { act, notify } from '../../parts/toasts.tsx'
import type { HttpCall } from '../../snippets/call.ts'
import { whyHref } from '../../world/address.ts'
import { baseUrl, change } from '../../world/client.ts'
import { wordsOf } from '../words.ts'
import { rememberLead, type StepProps } from './progress.ts'

const w = wordsOf('start')

const callOf = (path: string, body?: object): HttpCall => ({
  method: body ? 'POST' : 'GET',
  url: [baseUrl + path],
  headers: body ? { 'content-type': 'application/json' } : {},
  body: body ? [JSON.stringify(body)] : null,
  tokenVariable: 'MERCADITO_TOKEN',
})

const Program = ({ path, body }: { path: string; body?: object }) => (
  <CopyAs textOf={(language) => language.call(callOf(path, body))} />
)

export const Call = () => <Program path="/users/me" />

export const Read = ({ progress }: StepProps) => (
  <WithQuestion progress={progress}>{(id) => <Program path={`/questions/${id}`} />}</WithQuestion>
)

export const Answer = ({ progress }: StepProps) => (
  <WithQuestion progress={progress}>
    {(id) => (
      <>
        <Program path="/answers" body={{ question_id: id, text: w.answerText }} />
        <p>
          <a href={`#/live?item=${progress.question?.item_id}`}>{w.watch}</a>
        </p>
      </>
    )}
  </WithQuestion>
)

/** The body names a member that the API does not know. */
export const Recover = ({ progress }: StepProps) => (
  <WithQuestion progress={progress}>
    {(id) => (
      <>
        <Program path="/answers" body={{ question: id, text: w.answerText }} />
        {progress.refused !== undefined && (
          <>
            <p>
              <a href={whyHref(progress.refused)}>{w.why}</a>
            </p>
            <p>{w.repaired}</p>
            <Program path="/answers" body={{ question_id: id, text: w.answerText }} />
          </>
        )}
      </>
    )}
  </WithQuestion>
)

interface WithQuestionProps extends StepProps {
  children(id: number): preact.ComponentChildren
}

function WithQuestion({ progress, children }: WithQuestionProps) {
  const { question } = progress
  if (question) return <>{children(question.id)}</>
  return (
    <>
      <p>{w.noQuestion}</p>
      <AskButton progress={progress} />
    </>
  )
}

const PORT = 3000
const OWN_URL = `http://127.0.0.1:${PORT}/`

export function Webhook({ progress }: StepProps) {
  const { setting, info } = progress
  const [url, setUrl] = useState(setting?.callback_url ?? OWN_URL)
  const save = (event: Event) => {
    event.preventDefault()
    const path = { id: info.application.id }
    act(() => change(w.useIt, 'PUT /applications/{id}/notifications', { path, body: { callback_url: url } }))
  }
  return (
    <>
      <CopyAs textOf={({ name }) => receiver(PORT)[name]} />
      <Changing>
        <form class="row guide-callback" onSubmit={save}>
          <Input
            label={w.callback}
            name="callback_url"
            value={setting?.callback_url ?? OWN_URL}
            type="url"
            required
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <button type="submit" class={setting ? '' : 'primary'}>
            {w.useIt}
          </button>
        </form>
        <p class="muted">{setting?.callback_url === url ? w.set : w.inside}</p>
        {setting && <AskButton progress={progress} />}
      </Changing>
      {progress.isWaiting && (
        <p>
          {w.waits} <a href="#/webhooks?status=pending">{w.attempts}</a>
        </p>
      )}
    </>
  )
}

export function Time({ progress: { item, seller, lead } }: StepProps) {
  if (!item) return <NoListings seller={seller?.id} />
  const makeLead = async () => {
    const { id } = await change(w.makeLead, 'POST /loans', { body: { item_id: item.id } })
    rememberLead(id)
    notify(<a href={`#/credits/${id}`}>{w.leadMade}</a>)
  }
  const advance = async () => {
    await change(w.advance, 'POST /clock/advance', { body: { by: 'P31D' } })
    notify(<a href={`#/credits/${lead!.id}`}>{w.advanced}</a>)
  }
  return (
    <>
      {lead && (
        <p>
          <a href={`#/credits/${lead.id}`}>{lead.expired ? w.expired : w.leadWaits}</a>
        </p>
      )}
      <Changing>
        <div class="row">
          <Button class={lead ? '' : 'primary'} title={w.makeLead} run={() => act(makeLead)} />
          <Button class={lead ? 'primary' : ''} disabled={!lead} title={w.advance} run={() => act(advance)} />
        </div>
      </Changing>
    </>
  )
}

function AskButton({ progress: { item, seller } }: StepProps) {
  if (!item) return <NoListings seller={seller?.id} />
  const ask = async () => {
    const { id } = await change(w.ask, 'POST /questions', { body: { item_id: item.id, text: w.questionText } })
    notify(<a href={`#/live?item=${item.id}`}>{`${w.asked} · ${id}`}</a>)
  }
  return (
    <Changing>
      <div class="row">
        <Button class="primary" title={w.ask} run={() => act(ask)} />
      </div>
    </Changing>
  )
}

/** Programs that receive webhooks at a port of this machine, by the name of their language. */
const receiver = (port: number): Record<string, string> => ({
  node: `// node hook.mjs
import { createServer } from 'node:http'

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  console.log(text)
  response.end()
}).listen(${port}, '127.0.0.1')
`,
  python: `# python3 hook.py
from http.server import BaseHTTPRequestHandler, HTTPServer


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers['content-length'])
        print(self.rfile.read(length).decode(), flush=True)
        self.send_response(200)
        self.end_headers()


HTTPServer(('127.0.0.1', ${port}), Hook).serve_forever()
`,
  php: `<?php // php -S 127.0.0.1:${port} hook.php
file_put_contents('php://stderr', file_get_contents('php://input') . "\\n");
`,
})
