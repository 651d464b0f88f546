import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded by .taprc. Tap follows every promise to find the test that an uncaught error belongs to, and has no option
// against it; that takes a quarter of the CPU time of tests with many calls. Without it, such an error still fails the test file.
hooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
