import type { SecretKey } from '@firn/bls'
import type { Chain } from '../State.ts'
import type { Timeline } from '../Timeline.ts'
import type { Validator } from '../Validator.ts'

/** The network as seen by the API methods. */
export interface Network {
  readonly networkId: number
  readonly timeline: Timeline
  /** The node that serves the APIs. */
  readonly apiNode: { readonly nodeId: Uint8Array; readonly secretKey: SecretKey.SecretKey }
  /** Returns the time of the P-chain in Unix milliseconds. */
  nowMs(): number
  /** Length of an epoch in milliseconds; undefined for the network's. */
  readonly epochDurationMs: number | undefined
  validators(): readonly Validator[]
  /** Returns the L1s that each node tracks, keyed by the NodeID as text. */
  trackedSubnets(): ReadonlyMap<string, readonly Uint8Array[]>
  /** Returns the chain with an id, a name or an alias (`P`, `platform`, `X`, `avm`, `C`, `evm`). */
  findChain(text: string): Chain | undefined
  /** Returns the bytes of an accepted P-chain transaction. */
  transaction(txId: Uint8Array): Uint8Array | undefined
  /**
   * Returns the proof of possession (96 bytes) of a validator's key, or undefined if the network is too large
   * to create all proofs.
   */
  proofOfPossession(nodeId: Uint8Array): Uint8Array | undefined
}
