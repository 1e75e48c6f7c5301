import { PublicKey } from '@firn/bls'
import { Bytes, Hex, NodeId } from '@firn/codec'
import { WarpError } from './WarpError.ts'

/** One entry of a signer bit set: a key, and the nodes that share it. */
export interface CanonicalValidator {
  readonly publicKey: PublicKey.PublicKey
  /** Sum of the weights of `nodeIds`. */
  readonly weight: bigint
  /** Ids of the nodes (20 bytes each), in ascending order. */
  readonly nodeIds: readonly Uint8Array[]
}

/** The validators of a subnet at a P-chain height, in the order used by signer bit sets. */
export interface ValidatorSet {
  /** Validators that have a key, without duplicates, in ascending order of uncompressed keys (96 bytes). */
  readonly validators: readonly CanonicalValidator[]
  /** Total weight of all nodes, including nodes without a key, which cannot sign. */
  readonly totalWeight: bigint
}

/**
 * A node in the P-chain's list of validators. `publicKey` is a compressed key (48 bytes), or null for a node
 * that cannot sign.
 */
export interface Node {
  readonly nodeId: Uint8Array
  readonly publicKey: Uint8Array | null
  readonly weight: bigint
}

/** Options of {@link create} and {@link fromCanonical}. */
export interface Options {
  /**
   * Decodes a compressed key. Override it to cache decoded keys across sets: decoding checks the subgroup,
   * which dominates the cost.
   */
  readonly decodePublicKey?: (compressed: Uint8Array) => PublicKey.PublicKey
}

const MAX_WEIGHT = 2n ** 64n - 1n

/**
 * Returns the canonical set of `nodes`. Nodes without a key count only in the total, and nodes with equal
 * keys are merged. Keys are sorted by their uncompressed bytes; the flags in the first byte of compressed
 * keys would give another order. Source: avalanchego `validators.FlattenValidatorSet`.
 * @throws WarpError `WARP_PUBLIC_KEY`, `WARP_WEIGHT`, `WARP_WEIGHT_OVERFLOW`, `WARP_DUPLICATE_NODE`
 * @example
 * ```ts
 * import { ValidatorSet } from '@firn/warp'
 *
 * const set = ValidatorSet.create([{ nodeId: new Uint8Array(20), publicKey: null, weight: 100n }])
 * ```
 */
export function create(nodes: readonly Node[], options: Options = {}): ValidatorSet {
  const merged = new Map<string, { first: Node; weight: bigint; nodeIds: Uint8Array[] }>()
  const seen = new Set<string>()
  let totalWeight = 0n
  for (const node of nodes) {
    assertNew(seen, node.nodeId)
    totalWeight = add(totalWeight, node.weight)
    if (node.publicKey === null) continue
    const key = keyOf(node.publicKey)
    const entry = merged.get(key)
    if (entry === undefined) merged.set(key, { first: node, weight: node.weight, nodeIds: [node.nodeId] })
    else {
      entry.weight += node.weight
      entry.nodeIds.push(node.nodeId)
    }
  }
  const validators = Array.from(merged.values(), ({ first, weight, nodeIds }) => ({
    publicKey: decodeKey(first.publicKey as Uint8Array, first.nodeId, options),
    weight,
    nodeIds: nodeIds.sort(Bytes.compare),
  }))
  return { validators: validators.sort((a, b) => PublicKey.compare(a.publicKey, b.publicKey)), totalWeight }
}

/**
 * Returns the canonical set of the nodes in a response to `platform.getValidatorsAt`, whose keys are NodeIDs as text.
 * @throws WarpError as {@link create}; CodecError for a malformed NodeID
 * @example
 * ```ts
 * import { ValidatorSet } from '@firn/warp'
 *
 * const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
 * const set = ValidatorSet.fromNodeIds(new Map([[nodeId, { publicKey: null, weight: 100n }]]))
 * console.log(set.totalWeight) // 100n
 * ```
 */
export function fromNodeIds(
  nodes: ReadonlyMap<string, Omit<Node, 'nodeId'>>,
  options: Options = {},
): ValidatorSet {
  return create(
    Array.from(nodes, ([nodeId, node]) => ({ ...node, nodeId: NodeId.parse(nodeId) })),
    options,
  )
}

/** A canonical set from an API or a file, already merged and sorted, with compressed keys (48 bytes). */
export interface Canonical {
  readonly validators: readonly {
    readonly publicKey: Uint8Array
    readonly weight: bigint
    readonly nodeIds: readonly Uint8Array[]
  }[]
  readonly totalWeight: bigint
}

/**
 * Creates a validator set from a canonical one, after checking the order, the weights and the total.
 * @throws WarpError `WARP_VALIDATOR_SET`, `WARP_PUBLIC_KEY`, `WARP_WEIGHT`, `WARP_WEIGHT_OVERFLOW`
 * @example
 * ```ts
 * import { SecretKey } from '@firn/bls'
 * import { ValidatorSet } from '@firn/warp'
 *
 * const publicKey = SecretKey.publicKey(SecretKey.random()).compressed
 * const validator = { publicKey, weight: 100n, nodeIds: [new Uint8Array(20)] }
 * const set = ValidatorSet.fromCanonical({ validators: [validator], totalWeight: 100n })
 * ```
 */
export function fromCanonical(canonical: Canonical, options: Options = {}): ValidatorSet {
  let keyed = 0n
  const validators = canonical.validators.map(({ publicKey, weight, nodeIds }) => {
    keyed = add(keyed, weight)
    return { publicKey: decodeKey(publicKey, nodeIds[0], options), weight, nodeIds }
  })
  for (let i = 1; i < validators.length; i++) {
    const [before, here] = [validators[i - 1], validators[i]] as [CanonicalValidator, CanonicalValidator]
    if (PublicKey.compare(before.publicKey, here.publicKey) >= 0) {
      throw new WarpError(
        'WARP_VALIDATOR_SET',
        `expected keys in ascending order of their uncompressed bytes, but validator ${i} is not greater than the previous one`,
      )
    }
  }
  const totalWeight = add(0n, canonical.totalWeight)
  if (keyed > totalWeight) {
    throw new WarpError(
      'WARP_VALIDATOR_SET',
      `expected a total weight of at least ${keyed} (the sum of the validators' weights), got ${totalWeight}`,
    )
  }
  return { validators, totalWeight }
}

/**
 * Returns the sum of the weights at canonical `indices`. Ignores indices beyond the set.
 *
 * @example
 * ```ts
 * import { BitSet, SignedMessage, ValidatorSet } from '@firn/warp'
 *
 * declare const set: ValidatorSet.ValidatorSet
 * declare const message: SignedMessage.SignedMessage
 * const signedWeight = ValidatorSet.weightOf(set, BitSet.decode(message.signature.signers))
 * ```
 */
export function weightOf(set: ValidatorSet, indices: Iterable<number>): bigint {
  let weight = 0n
  for (const index of indices) weight += set.validators[index]?.weight ?? 0n
  return weight
}

function add(sum: bigint, weight: bigint): bigint {
  if (weight < 0n || weight > MAX_WEIGHT) {
    throw new WarpError('WARP_WEIGHT', `expected a weight from 0 to ${MAX_WEIGHT}, got ${weight}`)
  }
  if (sum + weight > MAX_WEIGHT) {
    throw new WarpError(
      'WARP_WEIGHT_OVERFLOW',
      `expected weights that add up to at most ${MAX_WEIGHT}, got ${sum} + ${weight}`,
    )
  }
  return sum + weight
}

function assertNew(seen: Set<string>, nodeId: Uint8Array): void {
  const key = keyOf(nodeId)
  if (seen.has(key)) throw new WarpError('WARP_DUPLICATE_NODE', `duplicate node ${NodeId.format(nodeId)}`)
  seen.add(key)
}

function decodeKey(
  compressed: Uint8Array,
  nodeId: Uint8Array | undefined,
  options: Options,
): PublicKey.PublicKey {
  try {
    return (options.decodePublicKey ?? PublicKey.decode)(compressed)
  } catch (cause) {
    const whose = nodeId?.length === 20 ? NodeId.format(nodeId) : 'a validator'
    throw new WarpError(
      'WARP_PUBLIC_KEY',
      `expected a BLS public key of 48 bytes for ${whose}, got ${Hex.encode(compressed.subarray(0, 48))}`,
      {
        details: { nodeId: whose },
        cause,
      },
    )
  }
}

/** Returns a map key with one character per byte, which is cheaper than hex. */
function keyOf(bytes: Uint8Array): string {
  let key = ''
  for (const byte of bytes) key += String.fromCharCode(byte)
  return key
}
