import { Hex } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'

/** A validator of the Primary Network. */
export interface PrimaryValidator {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** Compressed BLS key, 48 bytes; null for a validator without a registered key. */
  readonly publicKey: Uint8Array | null
  /** Weight in nAVAX. */
  readonly weight: bigint
  /** Unix seconds. */
  readonly startTime: bigint
}

/** A validator of an L1. */
export interface L1Validator {
  /** 32 bytes. */
  readonly validationId: Uint8Array
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /**
   * Minimum nonce of the next weight change: the highest used nonce plus 1, or 0 if the weight was never
   * changed.
   */
  readonly minNonce: bigint
  /** Balance in nAVAX; 0 if the validator is inactive. */
  readonly balance: bigint
  /** Unix seconds. */
  readonly startTime: bigint
}

/** A subnet. A subnet with a conversion is an L1. */
export interface Subnet {
  readonly id: Uint8Array
  readonly conversion: {
    /** 32 bytes. */
    readonly id: Uint8Array
    readonly managerChainId: Uint8Array
    readonly managerAddress: Uint8Array
  } | null
}

/**
 * Virtual machine of a chain, which determines its signing rules. `coreth` runs the C-chain, `subnet-evm`
 * runs L1s, and `avm` runs the X-chain, which signs nothing.
 */
export type VirtualMachine = 'platformvm' | 'avm' | 'coreth' | 'subnet-evm'

/** A blockchain of the devnet. */
export interface Chain {
  readonly id: Uint8Array
  readonly name: string
  /** Subnet of the chain; 32 zero bytes for the Primary Network. */
  readonly subnetId: Uint8Array
  readonly vm: VirtualMachine
}

/**
 * The P-chain after a block. States are immutable: each block creates a new state. The maps are keyed by
 * {@link key}.
 */
export interface State {
  readonly networkId: number
  readonly height: bigint
  /** Unix seconds. */
  readonly time: bigint
  readonly primary: ReadonlyMap<string, PrimaryValidator>
  readonly subnets: ReadonlyMap<string, Subnet>
  readonly chains: ReadonlyMap<string, Chain>
  readonly l1Validators: ReadonlyMap<string, L1Validator>
  /** Expiry times of accepted registrations by validation id. These registrations cannot be repeated. */
  readonly expiries: ReadonlyMap<string, bigint>
}

/** The data that a node of an EVM chain has accepted. The maps are keyed by {@link key}. */
export interface EvmState {
  /** Ids of accepted messages. */
  readonly messages: { has(messageId: string): boolean }
  /** Hashes of accepted blocks. */
  readonly blocks: { has(blockHash: string): boolean }
  /** Uptimes in seconds that the node observed, by validation id. */
  readonly uptimes: { get(validationId: string): bigint | undefined }
}

/** Id of the P-chain and of the Primary Network. */
export const PRIMARY: Uint8Array = new Uint8Array(32)

/** Returns the key that represents bytes in the maps of the state. */
export function key(bytes: Uint8Array): string {
  return Hex.encodeBare(bytes)
}

/** Returns whether an id is the Primary Network's id. */
export function isPrimary(subnetId: Uint8Array): boolean {
  return subnetId.every((byte) => byte === 0)
}

/** Returns the validators of an L1 in ascending order of NodeIDs. */
export function l1ValidatorsOf(state: State, subnetId: Uint8Array): readonly L1Validator[] {
  const subnet = key(subnetId)
  const found = [...state.l1Validators.values()].filter((validator) => key(validator.subnetId) === subnet)
  return found.sort((a, b) => (key(a.nodeId) < key(b.nodeId) ? -1 : 1))
}

/**
 * Returns the nodes of a subnet as Warp counts them. All inactive validators of an L1 are merged into one
 * entry with the empty NodeID and no key. Source: platform.getValidatorsAt of avalanchego.
 */
export function nodesOf(state: State, subnetId: Uint8Array): readonly ValidatorSet.Node[] {
  if (isPrimary(subnetId)) return [...state.primary.values()]
  const validators = l1ValidatorsOf(state, subnetId)
  const nodes = validators
    .filter(({ balance }) => balance > 0n)
    .map(({ nodeId, publicKey, weight }) => ({ nodeId, publicKey, weight }))
  const inactive = validators
    .filter(({ balance }) => balance === 0n)
    .reduce((sum, { weight }) => sum + weight, 0n)
  return inactive === 0n
    ? nodes
    : [...nodes, { nodeId: new Uint8Array(20), publicKey: null, weight: inactive }]
}
