import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before the tests. Tap follows every promise to know whose error it is when one is thrown outside all tests, which
// takes a quarter of what tests with many calls take. Without that such an error ends the file, and so fails it too.
hooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
