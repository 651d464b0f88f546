/** Bytes that the address and the headers of a request may have together [spec: http.head_limit]. */
export const MAX_HEAD_BYTES = 32 * 1024

/**
 * What the server still reads after an error before it closes. A client that sends before it reads would otherwise find its
 * connection reset, and the answer lost [spec: http.body.limit].
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024
export const MAX_UNREAD_MS = 10_000
