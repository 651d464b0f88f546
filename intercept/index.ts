import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAsset } from '../db/assets.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { readTrusted } from '../lib/cli/client_tls.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import { createAuthority } from './authority.ts'
import { interceptEnvironment, phpSettings } from './environment.ts'
import { openProxy } from './proxy.ts'
import { formatSummary, type Refusal } from './refusals.ts'
import { readTrustedRoots, toJavaTrustStore } from './trust.ts'

interface InterceptOptions {
  /** Base address of the world that answers instead of the marketplace. */
  world: string
  /** A file of certificates to trust there; default: those of Node. */
  ca?: string | undefined
  /** Hosts that may be called, as `parseAllowed` returns them. */
  allowed: string[]
}

export { parseAllowed } from './hosts.ts'

export interface Summary {
  /** `calls`: those that were sent to the world. */
  intercepted: { calls: number; refused: Refusal[] }
  /** The same for people; empty if there is nothing to say. */
  text: string
}

/** A proxy and the files that make programs use and trust it. */
interface Interception {
  /** Variables for the program. */
  environment: NodeJS.ProcessEnv
  /** Ends the proxy and removes the files. */
  close(): Promise<Summary>
}

/** Starts to intercept for programs that get `environment`. No key is written to a file. */
export async function openInterception(
  inherited: NodeJS.ProcessEnv,
  { world, ca, allowed }: InterceptOptions,
): Promise<Interception> {
  const trusted = ca === undefined ? undefined : readTrusted(ca)
  const authority = await createAuthority({ isStored: false })
  const folder = createTemporaryFolder(temporaryRoot())
  try {
    const proxy = await openProxy(authority, { world, ca: trusted, allowed })
    const file = (name: string) => join(folder.path, name)
    const phpFolder = file('php')
    const [bundle, trustStore, preload] = [file('ca.pem'), file('ca.jks'), file('preload.cjs')]
    const certificates = [...readTrustedRoots(inherited), authority.certificate.toString('pem')]
    const direct = [new URL(world).hostname]
    mkdirSync(phpFolder)
    writeFileSync(bundle, `${certificates.join('\n')}\n`)
    writeFileSync(trustStore, toJavaTrustStore(certificates))
    writeFileSync(join(phpFolder, 'mercadito.ini'), phpSettings(bundle))
    writeFileSync(preload, readAsset('preload.cjs'))
    writeFileSync(
      file('preload.json'),
      JSON.stringify({ ports: { 80: proxy.port, 443: proxy.securePort }, direct: [...direct, ...allowed] }),
    )
    return {
      environment: interceptEnvironment(inherited, {
        port: proxy.port,
        bundle,
        trustStore,
        phpFolder,
        preload,
        direct,
      }),
      async close() {
        await proxy.close()
        folder.release()
        const [calls, refused] = [proxy.calls(), proxy.refusals()]
        return { intercepted: { calls, refused }, text: formatSummary(calls, refused) }
      },
    }
  } catch (error) {
    folder.release()
    throw error
  }
}
