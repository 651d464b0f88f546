/** The message completes `callback_url: …`; the longest text in it is a normalised host. */
export class InvalidTarget extends Error {}

/** Metadata services return credentials of the machine; some of these names resolve to public addresses. */
const METADATA_HOSTS = [
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
  ...['metadata.packet.net', 'metadata.platformequinix.com', 'rancher-metadata'],
]

/** The host without brackets, and without the dot that ends a fully qualified name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

export const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))

export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

export const isMetadataHost = (host: string): boolean =>
  METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))
