import { useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { words } from '../words/index.ts'
import { enterToken, hasToken } from '../world/client.ts'

/** Covers the console while the server asks for the admin token: without it there is nothing to see. */
export function TokenForm() {
  const [token, setToken] = useState('')
  const w = words()
  return (
    <main class="token-page">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          enterToken(token.trim())
          setToken('')
        }}
      >
        <h1>{w.adminToken}</h1>
        <p class="muted">{w.adminTokenWhy}</p>
        {hasToken() && (
          <p class="bad" role="alert">
            <Icon name="warning" /> {w.wrongToken}
          </p>
        )}
        <label class="field">
          <span>{w.adminToken}</span>
          <input
            type="password"
            autocomplete="off"
            required
            autofocus
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            {w.enter}
          </button>
        </div>
      </form>
    </main>
  )
}
