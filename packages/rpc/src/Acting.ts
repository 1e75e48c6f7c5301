const ACTING = /[._](?:send|submit|issue|import|set)/

/**
 * Returns whether a call of a JSON-RPC method by name may change state, so that a server must not forward it a second
 * time if the first node may have run it. The method tables declare this with `isOnce`; this rule is for methods that
 * are forwarded without a table, such as methods of the EVM.
 * @example
 * ```ts
 * import { isActing } from '@firn/rpc'
 *
 * isActing('eth_sendRawTransaction') // true
 * isActing('eth_call') // false
 * ```
 */
export function isActing(method: string): boolean {
  return ACTING.test(method)
}
