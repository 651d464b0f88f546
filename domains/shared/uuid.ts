/** Formats 32 hex digits as a UUID of version 4, which clients expect. */
export function uuid(digits: string): string {
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4]!
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-')
}
