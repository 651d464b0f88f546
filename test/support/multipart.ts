const BOUNDARY = 'x-boundary-x'

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The first bytes of a JPG and of a PNG. */
export const JPG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46])
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A body with one file of `bytes` bytes that begins with `head`. */
export function multipart(head: Buffer, { name = 'file', filename = 'a.jpg', bytes = head.length } = {}): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="other"\r\n\r\nvalue\r\n`),
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n`),
    Buffer.from('Content-Type: image/jpeg\r\n\r\n'),
    head,
    Buffer.alloc(bytes - head.length),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
}
