/** The HTTP statuses that JSON-RPC errors correspond to; other errors are valid answers of a node. */
const STATUS: ReadonlyMap<number, number> = new Map([
  [-32_700, 400],
  [-32_600, 400],
  [-32_602, 400],
  [-32_601, 404],
  [-32_603, 500],
  [-32_005, 429],
])

/**
 * Returns the response code that usage counts: the HTTP status, or if that is 200 the one of the JSON-RPC
 * error. A reverted call or a rejected transaction is a success of the service.
 */
export function responseCode(status: number, errorCode?: number): number {
  if (status !== 200 || errorCode === undefined) return status
  return STATUS.get(errorCode) ?? 200
}
