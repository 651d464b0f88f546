import { delimiter } from 'node:path'

/** What the variables name: the proxy, and files in the temporary folder of the run. */
interface Interception {
  port: number
  /** System roots and the authority, PEM. */
  bundle: string
  /** The same for Java. */
  trustStore: string
  /** A folder with an ini file for PHP. */
  phpFolder: string
  /** The script for Node. */
  preload: string
  /** Hosts that the program calls without the proxy, besides loopback. */
  direct: string[]
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** The variables of the program. What it inherits in those of options stays, before ours. */
export function interceptEnvironment(inherited: NodeJS.ProcessEnv, interception: Interception): NodeJS.ProcessEnv {
  const { bundle, phpFolder, preload } = interception
  const proxy = `http://127.0.0.1:${interception.port}`
  const direct = [...new Set([...LOOPBACK, ...interception.direct])].join(',')
  return {
    // Most programs; curl reads http_proxy in lower case only.
    ...inBothCases({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: direct }),
    // OpenSSL (Ruby; httpx and urllib of Python) and Go.
    SSL_CERT_FILE: bundle,
    // Python: requests.
    REQUESTS_CA_BUNDLE: bundle,
    CURL_CA_BUNDLE: bundle,
    NODE_EXTRA_CA_CERTS: bundle,
    NODE_OPTIONS: append(inherited.NODE_OPTIONS, `--require ${JSON.stringify(preload)}`),
    // An empty part is the folder that PHP was built with.
    PHP_INI_SCAN_DIR: `${inherited.PHP_INI_SCAN_DIR ?? ''}${delimiter}${phpFolder}`,
    JAVA_TOOL_OPTIONS: append(inherited.JAVA_TOOL_OPTIONS, javaOptions(interception)),
  }
}

const inBothCases = (variables: Record<string, string>): Record<string, string> => ({
  ...variables,
  ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])),
})

const append = (inherited: string | undefined, options: string): string =>
  inherited ? `${inherited} ${options}` : options

/** Quoted, because a path may contain blanks. */
const javaOptions = ({ port, trustStore, direct }: Interception): string =>
  [
    'http.proxyHost=127.0.0.1',
    `http.proxyPort=${port}`,
    'https.proxyHost=127.0.0.1',
    `https.proxyPort=${port}`,
    `http.nonProxyHosts=${['localhost', '127.*', '[::1]', ...direct].join('|')}`,
    `javax.net.ssl.trustStore=${trustStore}`,
    'javax.net.ssl.trustStoreType=JKS',
  ]
    .map((property) => `"-D${property}"`)
    .join(' ')

/** Settings of PHP, for its curl extension and its streams. */
export const phpSettings = (bundle: string): string => `curl.cainfo="${bundle}"\nopenssl.cafile="${bundle}"\n`
