import type { World } from '../../db/world.ts'
import { LOOPBACK } from './assumptions.ts'
import type { ApplicationRow } from './queries.ts'

/** The redirect URI of the application of a new world. */
export const DEFAULT_REDIRECT_URI = 'http://localhost:3000/callback'

/** Whether a text is an absolute http or https URL without a fragment. OAuth compares them as text. */
export const isRedirectUri = (text: string): boolean =>
  /^https?:\/\/[\x21-\x7e]+$/i.test(text) && !/[#\\]/.test(text) && URL.canParse(text)

/** Whether an authorization may go back to an address [spec: oauth.loopback]. */
export const mayReturnTo = (
  world: Pick<World, 'switches'>,
  { redirect_uri }: Pick<ApplicationRow, 'redirect_uri'>,
  address: string,
): boolean =>
  address === redirect_uri ||
  (redirect_uri === DEFAULT_REDIRECT_URI && LOOPBACK.of(world) === 'any' && isLoopback(address))

const isLoopback = (address: string): boolean =>
  isRedirectUri(address) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
