import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'

export const LOOPBACK = defineSwitch('oauth.loopback', ['any', 'exact'])

export const OAUTH: Assumptions = {
  [LOOPBACK.name]: assumed(
    'Whether an application that still has the default redirect address accepts any loopback address, as native apps need it',
    LOOPBACK,
  ),
}
