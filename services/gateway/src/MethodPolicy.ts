/** Whether a method is let through. */
export type MethodPolicy = (method: string) => boolean

/** What a chain's nodes are asked for where nothing else is said: what reads, and transactions that are signed. */
export const ALLOWED: readonly string[] = ['eth_*', 'net_*', 'web3_*']
/** Of those, what acts in the name of the node. */
export const DENIED: readonly string[] = [
  'eth_accounts',
  'eth_sendTransaction',
  'eth_sign*',
  'eth_submit*',
  'eth_getWork',
  'eth_coinbase',
  'eth_mining',
]

/** The policy of two lists of names in which `*` stands for any characters: what `deny` names is refused, whatever allows it. */
export function createMethodPolicy(allow: readonly string[], deny: readonly string[]): MethodPolicy {
  const [allowed, denied] = [allow.map(patternOf), deny.map(patternOf)]
  return (method) =>
    allowed.some((pattern) => pattern.test(method)) && !denied.some((pattern) => pattern.test(method))
}

/** The pattern of a name in which `*` stands for any characters. */
export function patternOf(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
