import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { App } from '../app.ts'
import { CliError, EXIT } from '../lib/cli/errors.ts'
import { withoutBrackets } from '../lib/urls.ts'
import { createContexts } from './authority.ts'
import { isMarketplaceHost } from './hosts.ts'
import { secureOptions } from './secure_options.ts'
import { openStoredAuthority } from './stored_authority.ts'

/** As the banner and `--ready-json` show it. */
export interface InterceptInfo {
  /** Where the server answers for the hosts of the marketplace. */
  address: string
  /** The certificate that clients must trust. */
  certificate: string
}

/**
 * Lets a server answer HTTPS for the hosts of the marketplace at another address, for clients that resolve their names to
 * it. `address`: `host:port`; `folder`: of the authority. Throws a CliError.
 */
export async function listenForMarketplace(
  attach: App['attach'],
  address: string,
  folder: string,
): Promise<InterceptInfo> {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(address) ?? []
  const authority = await openStoredAuthority(folder)
  const options = secureOptions(await createContexts(authority), { isIssued: isMarketplaceHost })
  const listener = createServer(options)
  attach(listener)
  try {
    await once(listener.listen({ host: withoutBrackets(host), port: Number(port), backlog: 4096 }), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(`--intercept-tls: cannot listen on ${address} (${code})`, EXIT.addressUnavailable)
  }
  return { address: `${host}:${(listener.address() as AddressInfo).port}`, certificate: authority.file }
}
