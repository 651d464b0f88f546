'use strict'

// npx runs a program in a shell that does not pass signals on, so `kill` of npx would leave a server running: the program
// ends as if by SIGTERM when that shell has ended. Not on Windows, where no process learns that its parent has ended.

/** Ms between two checks. */
const CHECK_INTERVAL_MS = 100

const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = process.env
// With `npx -c 'mercadito start & …'` a program may outlive the shell.
if (event === 'npx' && /^\S+$/.test(script) && process.platform !== 'win32') {
  // Programs that this one runs have another parent.
  delete process.env.npm_lifecycle_event
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_INTERVAL_MS).unref()
}
