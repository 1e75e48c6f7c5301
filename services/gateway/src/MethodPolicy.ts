/** Returns whether a method is allowed. */
export type MethodPolicy = (method: string) => boolean

/** The methods allowed by default: reading, and sending signed transactions. */
export const ALLOWED: readonly string[] = ['eth_*', 'net_*', 'web3_*']
/** The methods among them that act in the name of the node. */
export const DENIED: readonly string[] = [
  'eth_accounts',
  'eth_sendTransaction',
  'eth_sign*',
  'eth_submit*',
  'eth_getWork',
  'eth_coinbase',
  'eth_mining',
]

/**
 * Returns the policy of two lists of names with `*` for any characters: denied names are refused even if also
 * allowed.
 */
export function createMethodPolicy(allow: readonly string[], deny: readonly string[]): MethodPolicy {
  const [allowed, denied] = [allow.map(patternOf), deny.map(patternOf)]
  return (method) =>
    allowed.some((pattern) => pattern.test(method)) && !denied.some((pattern) => pattern.test(method))
}

/** Returns the pattern of a name with `*` for any characters. */
export function patternOf(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
