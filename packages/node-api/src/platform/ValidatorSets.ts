import { Bytes, Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import type { PlatformMethods } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { type Handlers, methodError } from '../Service.ts'

/** The validator set of a subnet, by NodeID. */
export type NodeSet = Awaited<ReturnType<Handlers<typeof PlatformMethods>['platform.getValidatorsAt']>>
export type WarpSets = Awaited<
  ReturnType<Handlers<typeof PlatformMethods>['platform.getAllValidatorsAt']>
>['validatorSets']

type WarpSet = WarpSets extends ReadonlyMap<string, infer S> ? S : never

const MAX_WEIGHT = 2n ** 64n - 1n

/**
 * Returns the validator set of a subnet, keyed by NodeID.
 * @example
 * ```ts
 * import type { Records } from '@firn/ledger'
 * import { ValidatorSets } from '@firn/node-api'
 *
 * declare const members: readonly Records.Member[] // of one subnet
 * const set = ValidatorSets.byNode(members)
 * set.get('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')?.weight // such as 2000000000000n
 * ```
 * @throws CodecError `CODEC_ID` if a NodeID is not 20 bytes long
 */
export function byNode(members: readonly Records.Member[]): NodeSet {
  return new Map(
    members.map(({ nodeId, publicKey, weight }) => [
      NodeId.format(nodeId),
      { publicKey: publicKey ?? null, weight },
    ]),
  )
}

/**
 * Returns the validator sets of all subnets in the canonical order of signers. Omits a subnet whose total
 * weight exceeds 64 bits, because its validators cannot sign a message.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import type { Records } from '@firn/ledger'
 * import { ValidatorSets } from '@firn/node-api'
 *
 * declare const members: readonly Records.Member[] // of all subnets
 * const primary = ValidatorSets.canonical(members).get(Id.format(Id.EMPTY))
 * ```
 * @throws CodecError `CODEC_ID` if a NodeID or a subnet id has a wrong length
 */
export function canonical(members: readonly Records.Member[]): WarpSets {
  const bySubnet = Map.groupBy(members, ({ subnetId }) => Id.format(subnetId))
  const sets = new Map<string, WarpSet>()
  for (const [subnetId, set] of bySubnet) {
    const totalWeight = set.reduce((sum, { weight }) => sum + weight, 0n)
    if (totalWeight <= MAX_WEIGHT) sets.set(subnetId, { validators: signers(set), totalWeight })
  }
  return sets
}

/**
 * Returns the validators that have a BLS key, sorted by key in ascending order. Validators that share a key
 * are merged into one signer.
 */
function signers(members: readonly Records.Member[]): WarpSet['validators'] {
  const signers: { publicKey: Uint8Array; weight: bigint; nodeIds: Uint8Array[] }[] = []
  for (const { publicKey, weight, nodeId } of members.toSorted(bySigner)) {
    if (publicKey === undefined) continue
    const last = signers.at(-1)
    if (last !== undefined && Bytes.equals(last.publicKey, publicKey)) {
      last.weight += weight
      last.nodeIds.push(nodeId)
    } else signers.push({ publicKey, weight, nodeIds: [nodeId] })
  }
  return signers.map(({ nodeIds, ...signer }) => ({ ...signer, nodeIDs: nodeIds }))
}

function bySigner(a: Records.Member, b: Records.Member): number {
  const keys = compareKeys(a.publicKey ?? NO_KEY, b.publicKey ?? NO_KEY)
  return keys === 0 ? Bytes.compare(a.nodeId, b.nodeId) : keys
}

const NO_KEY = new Uint8Array(48)
/**
 * Masks for the first byte of a compressed key: the flag for the greater of the two points with the same x,
 * and the bits of x.
 */
const GREATER_Y = 0x20
const X_BITS = 0x1f

/**
 * Compares keys in the order of their uncompressed form (x, then y), but without decompression, which needs
 * one square root per key.
 */
function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const first = ((a[0] as number) & X_BITS) - ((b[0] as number) & X_BITS)
  if (first !== 0) return first
  const rest = Bytes.compare(a.subarray(1), b.subarray(1))
  return rest === 0 ? ((a[0] as number) & GREATER_Y) - ((b[0] as number) & GREATER_Y) : rest
}

/**
 * Draws `size` distinct units of weight at random. Returns the NodeID of the validator that owns each unit,
 * in ascending byte order.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import type { Records } from '@firn/ledger'
 * import { ValidatorSets } from '@firn/node-api'
 *
 * declare const members: readonly Records.Member[] // of the Primary Network
 * const nodeIds = ValidatorSets.sample(Id.EMPTY, members, 3, Math.random)
 * ```
 * @throws RpcError `RPC_REMOTE` with the node's text
 */
export function sample(
  subnetId: Uint8Array,
  members: readonly Records.Member[],
  size: number,
  random: NodeContext['random'],
): Uint8Array[] {
  if (size === 0) return []
  const refuse = (reason: string) => methodError(`sampling ${Id.format(subnetId)} errored with ${reason}`)
  if (members.length === 0) throw refuse('missing validators')
  const sorted = members.toSorted((a, b) => Bytes.compare(a.nodeId, b.nodeId))
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0n)
  if (BigInt(size) > total) throw refuse('insufficient weight')
  const units = drawUnits(total, size, random).sort((a, b) => (a < b ? -1 : 1))
  const drawn: Uint8Array[] = []
  let below = 0n
  for (const { nodeId, weight } of sorted) {
    below += weight
    while (drawn.length < size && (units[drawn.length] as bigint) < below) drawn.push(nodeId)
  }
  return drawn
}

/** Returns a uniformly random subset of `size` numbers below `total` (Floyd's algorithm). */
function drawUnits(total: bigint, size: number, random: NodeContext['random']): bigint[] {
  const drawn = new Set<bigint>()
  for (let top = total - BigInt(size); top < total; top++) {
    const unit = below(top + 1n, random)
    drawn.add(drawn.has(unit) ? top : unit)
  }
  return [...drawn]
}

const DIGIT = 2 ** 32

/**
 * Returns a random number below `limit`. It is derived from 96 random bits, so the bias for 64-bit limits is
 * negligible.
 */
function below(limit: bigint, random: NodeContext['random']): bigint {
  let value = 0n
  for (let digits = 0; digits < 3; digits++) value = (value << 32n) | BigInt(Math.floor(random() * DIGIT))
  return value % limit
}
