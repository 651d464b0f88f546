/** The host of an address as sockets need it: an IPv6 address without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')
