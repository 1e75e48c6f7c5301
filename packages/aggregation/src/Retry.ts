/**
 * The kind of chain that an error code comes from; the same number has different meanings on different
 * virtual machines.
 */
export type ChainKind = 'p-chain' | 'evm'

/**
 * The error codes that mean "not yet on this node", so that the same node may sign a little later. All other
 * codes are final.
 *
 * - Any chain: 0 undefined, -4 throttled.
 * - P-chain: 6 subnet not converted, 11 validation does not exist (yet), 12 validation still exists, 14 validation could
 * still be registered until its time is over, 16 nonce and 17 weight differ from the stored ones.
 * - EVM: 1 and 2 message or block not accepted (coreth, subnet-evm); 3 and 4 the same on a C-chain that
 * executes blocks after acceptance.
 */
export const lagCodes: Readonly<Record<ChainKind, readonly number[]>> = {
  'p-chain': [-4, 0, 6, 11, 12, 14, 16, 17],
  evm: [-4, 0, 1, 2, 3, 4],
}

/**
 * The "not yet" codes with which a node reports the state of its P-chain. Nodes accept a block within about a second of
 * each other, and their state changes only with a block. Therefore, if all queried nodes report such codes, asking again
 * is useless unless the caller expects a block soon.
 */
const stateCodes: Readonly<Record<ChainKind, readonly number[]>> = {
  'p-chain': [6, 11, 12, 14, 16, 17],
  evm: [],
}

/** Returns true when a node that responded with this "not yet" code has reported the state of its P-chain. */
export function isState(kind: ChainKind, code: number | undefined): boolean {
  return code !== undefined && stateCodes[kind].includes(code)
}

/** Returns true when a node that responded with this error code may sign the same message later. */
export function isLag(kind: ChainKind, code: number): boolean {
  return lagCodes[kind].includes(code)
}

/**
 * Returns the kind of the chain with this id (32 bytes): all zero bytes are the P-chain, all other chains run
 * an EVM.
 */
export function chainKind(chainId: Uint8Array): ChainKind {
  return chainId.every((byte) => byte === 0) ? 'p-chain' : 'evm'
}
