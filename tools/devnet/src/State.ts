import { Hex } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'

/** A validator of the Primary Network. */
export interface PrimaryValidator {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** 48 bytes; null for a validator without a registered key. */
  readonly publicKey: Uint8Array | null
  /** nAVAX. */
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
  /** Highest used nonce + 1; 0 until the weight is first set. */
  readonly minNonce: bigint
  /** nAVAX; 0 when inactive. */
  readonly balance: bigint
  /** Unix seconds. */
  readonly startTime: bigint
}

/** A subnet; one with a conversion is an L1. */
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
 * The rules by which a chain answers: `coreth` is the C-chain, `subnet-evm` an L1, `avm` the X-chain, which
 * signs nothing.
 */
export type VirtualMachine = 'platformvm' | 'avm' | 'coreth' | 'subnet-evm'

/** A chain. */
export interface Chain {
  readonly id: Uint8Array
  readonly name: string
  /** 32 zero bytes: the Primary Network. */
  readonly subnetId: Uint8Array
  readonly vm: VirtualMachine
}

/**
 * The P-chain after a block. States are immutable: a block creates a new one. Maps are keyed by {@link key}.
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
  /** Validation ids of accepted registrations, with their expiry: they cannot be repeated. */
  readonly expiries: ReadonlyMap<string, bigint>
}

/** The accepted data of an EVM chain at a node, by {@link key}. */
export interface EvmState {
  /** Ids of accepted messages. */
  readonly messages: { has(messageId: string): boolean }
  /** Hashes of accepted blocks. */
  readonly blocks: { has(blockHash: string): boolean }
  /** Seconds that the node saw a validation up. */
  readonly uptimes: { get(validationId: string): bigint | undefined }
}

/** The id of the P-chain and of the Primary Network. */
export const PRIMARY: Uint8Array = new Uint8Array(32)

/** Returns bytes as a key of the state's maps. */
export function key(bytes: Uint8Array): string {
  return Hex.encodeBare(bytes)
}

/** Returns whether this is the Primary Network's id. */
export function isPrimary(subnetId: Uint8Array): boolean {
  return subnetId.every((byte) => byte === 0)
}

/** Returns the validators of an L1, ascending by node id. */
export function l1ValidatorsOf(state: State, subnetId: Uint8Array): readonly L1Validator[] {
  const wanted = key(subnetId)
  const found = [...state.l1Validators.values()].filter((validator) => key(validator.subnetId) === wanted)
  return found.sort((a, b) => (key(a.nodeId) < key(b.nodeId) ? -1 : 1))
}

/**
 * Returns the nodes of a subnet as Warp counts them: all inactive validators of an L1 together are one entry
 * under the empty NodeID, without a key. Source: platform.getValidatorsAt of avalanchego.
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
