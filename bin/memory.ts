import { setFlagsFromString } from 'node:v8'

// Keeps V8's young generation as it is before the server is built, at most 8 MB: under load it would have 64 MB, and
// requests would get no faster. V8 reads a maximum when it starts, but this factor whenever the space may grow. A new
// factor makes it reject compiled code that it wrote with another one, so that it stays.

if (![process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space')))
  setFlagsFromString('--semi-space-growth-factor=1')
