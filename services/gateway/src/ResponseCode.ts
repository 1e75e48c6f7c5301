/** What JSON-RPC errors stand for, as a status of HTTP; others are answers that a node gave to what it was asked. */
const STATUS: ReadonlyMap<number, number> = new Map([
  [-32_700, 400],
  [-32_600, 400],
  [-32_602, 400],
  [-32_601, 404],
  [-32_603, 500],
  [-32_005, 429],
])

/**
 * The response code that usage counts: the status of HTTP, but where that is 200 the one that a JSON-RPC error stands for. A
 * reverted call, or a transaction that is refused, is a success of the service.
 */
export function responseCode(status: number, errorCode?: number): number {
  if (status !== 200 || errorCode === undefined) return status
  return STATUS.get(errorCode) ?? 200
}
