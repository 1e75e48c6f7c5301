import { Bytes, Id } from '@firn/codec'
import type { ConversionData } from '@firn/warp'
import { apply, type Change, emptyState } from './Change.ts'
import type { FullL1Options } from './Options.ts'
import { derive } from './Seed.ts'
import { type Chain, key, PRIMARY, type State } from './State.ts'
import type { ValidatorKeys } from './Validator.ts'

/** An L1 that exists from the start. */
export interface L1 {
  readonly name: string
  readonly subnetId: Uint8Array
  readonly chain: Chain
  /** Pre-image of the conversion id. */
  readonly conversion: ConversionData.ConversionData
  /** Node indices of the L1's validators, in the same order as in `conversion`. */
  readonly nodes: readonly number[]
}

/** The chains of the Primary Network. */
export interface PrimaryChains {
  readonly p: Chain
  readonly x: Chain
  readonly c: Chain
}

/** Well-known ids of the local network. Source: avalanchego's genesis of network 12345. */
const LOCAL = {
  x: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
  c: '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
}

/** Balance of an L1 validator in nAVAX. 10 AVAX last much longer than a test. */
export const BALANCE = 10_000_000_000n

/**
 * Returns the chains of the Primary Network. By default, network 12345 has the ids of the local network, and other
 * networks have ids derived from the seed.
 */
export function primaryChains(
  networkId: number,
  seed: string,
  ids?: { readonly X: Uint8Array; readonly C: Uint8Array },
): PrimaryChains {
  const fallback = (name: 'x' | 'c') =>
    networkId === 12345 ? Id.parse(LOCAL[name]) : derive(seed, 'chain', name)
  const id = (name: 'x' | 'c') => ids?.[name === 'x' ? 'X' : 'C'] ?? fallback(name)
  return {
    p: { id: PRIMARY, name: 'P-Chain', subnetId: PRIMARY, vm: 'platformvm' },
    x: { id: id('x'), name: 'X-Chain', subnetId: PRIMARY, vm: 'avm' },
    c: { id: id('c'), name: 'C-Chain', subnetId: PRIMARY, vm: 'coreth' },
  }
}

/** Returns the state at height 0, which contains only the Primary Network. The time is in Unix seconds. */
export function genesis(
  networkId: number,
  chains: PrimaryChains,
  validators: readonly Extract<Change, { readonly kind: 'set-primary' }>[],
  time: bigint,
): State {
  const state = validators.reduce<State>(apply, emptyState(networkId, time))
  return { ...state, chains: new Map(Object.values(chains).map((chain) => [key(chain.id), chain])) }
}

/** Ids of an L1. */
export interface L1Ids {
  readonly subnetId: Uint8Array
  readonly chainId: Uint8Array
}

/**
 * Creates an L1 from its options. `nodes` are the indices of its validators' nodes. By default, its ids are derived from
 * the seed.
 */
export function createL1(
  seed: string,
  { name, weights, manager }: FullL1Options,
  nodes: readonly number[],
  keys: readonly ValidatorKeys[],
  c: Chain,
  { subnetId, chainId }: L1Ids = {
    subnetId: derive(seed, 'subnet', name),
    chainId: derive(seed, 'chain', name),
  },
): L1 {
  const chain: Chain = { id: chainId, name, subnetId, vm: 'subnet-evm' }
  const validators = nodes.map((node, position) => {
    const { identity, publicKey } = keys[node] as ValidatorKeys
    return { node, nodeID: identity.nodeId, blsPublicKey: publicKey, weight: weights[position] as bigint }
  })
  // The transaction requires its validators to be sorted by NodeID.
  validators.sort((a, b) => Bytes.compare(a.nodeID, b.nodeID))
  const conversion = {
    subnetID: subnetId,
    managerChainID: manager === 'self' ? chain.id : c.id,
    managerAddress: derive(seed, 'manager', name).subarray(0, 20),
    validators: validators.map(({ nodeID: nodeId, blsPublicKey, weight }) => ({
      nodeID: nodeId,
      blsPublicKey,
      weight,
    })),
  }
  return { name, subnetId, chain, conversion, nodes: validators.map(({ node }) => node) }
}

/** Returns the changes in the P-chain block that creates an L1. */
export function l1Changes(l1: L1, inactiveNodes: ReadonlySet<number>): readonly Change[] {
  const balances = l1.nodes.map((node) => (inactiveNodes.has(node) ? 0n : BALANCE))
  return [
    { kind: 'create-subnet', subnetId: l1.subnetId },
    { kind: 'create-chain', subnetId: l1.subnetId, chainId: l1.chain.id, name: l1.name },
    { kind: 'convert', data: l1.conversion, balances },
  ]
}
