/** Returns whether a method is allowed. */
export type MethodPolicy = (method: string) => boolean

/** Methods allowed by default. They read data or send signed transactions. */
export const ALLOWED: readonly string[] = ['eth_*', 'net_*', 'web3_*']
/** Methods denied by default, because they use a node's keys or change its state. */
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
 * Creates a policy from two lists of method names, in which `*` matches any characters. Denied methods take
 * precedence over allowed methods.
 */
export function createMethodPolicy(allow: readonly string[], deny: readonly string[]): MethodPolicy {
  const [allowed, denied] = [allow.map(patternOf), deny.map(patternOf)]
  return (method) =>
    allowed.some((pattern) => pattern.test(method)) && !denied.some((pattern) => pattern.test(method))
}

/** Converts a method name, in which `*` matches any characters, to a regular expression. */
export function patternOf(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
