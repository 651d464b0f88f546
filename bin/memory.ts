import { setFlagsFromString } from 'node:v8'

// Keeps V8's young generation at the size that it has before the server is built, at most 8 MB. Under load it would grow
// to 64 MB, and requests would get no faster. V8 reads a maximum only when it starts, but this factor whenever the space
// may grow. The factor is set once, because V8 rejects stored code that was compiled with another one.

if (![process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space')))
  setFlagsFromString('--semi-space-growth-factor=1')
