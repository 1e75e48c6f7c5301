/**
 * HTTP statuses that correspond to JSON-RPC error codes. All other error codes belong to valid answers of a
 * node.
 */
const STATUS: ReadonlyMap<number, number> = new Map([
  [-32_700, 400],
  [-32_600, 400],
  [-32_602, 400],
  [-32_601, 404],
  [-32_603, 500],
  [-32_005, 429],
])

/**
 * Returns the response code for the usage statistics: the HTTP status, or the status of the JSON-RPC error if
 * the HTTP status is 200. Reverted calls and rejected transactions count as success, because the node
 * answered them.
 */
export function responseCode(status: number, errorCode?: number): number {
  if (status !== 200 || errorCode === undefined) return status
  return STATUS.get(errorCode) ?? 200
}
