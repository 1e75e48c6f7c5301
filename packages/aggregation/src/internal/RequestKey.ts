import { Bytes, Hex, Id } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'
import type { KnownRefusal } from '../AggregationRequest.ts'

/** The fields by which requests are compared. */
export interface Equality {
  readonly message: Uint8Array
  readonly justification: Uint8Array
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly inactive: ReadonlySet<number>
  readonly quorum: number
  readonly buffer: number
  readonly chainKind: string
  readonly refusal: KnownRefusal | undefined
}

/** Returns a key that is the same only for equal requests. Deadlines and signals are not part of it. */
export function create(request: Equality): string {
  return [
    ofRequest(request),
    fingerprint(request.validatorSet),
    [...request.inactive].sort((a, b) => a - b).join(','),
    request.quorum,
    request.buffer,
    request.refusal?.code,
  ].join('|')
}

/** Returns a key that is the same only for requests to which a node gives the same answer. */
export function ofRequest(request: Pick<Equality, 'message' | 'justification' | 'chainKind'>): string {
  const hashes = [request.message, request.justification].map((bytes) => Hex.encodeBare(Id.hash(bytes)))
  return [...hashes, request.chainKind].join('|')
}

const fingerprints = new WeakMap<ValidatorSet.ValidatorSet, string>()

/**
 * Returns a hash of a validator set. Sets are compared by content, because a set that is fetched twice is two
 * objects. The hash is cached per object, because hashing 1,000 keys takes a while.
 */
function fingerprint(set: ValidatorSet.ValidatorSet): string {
  let known = fingerprints.get(set)
  if (known === undefined) {
    const text = set.validators.map(({ weight, nodeIds }) => `${weight}:${nodeIds.length}`).join(',')
    const facts = new TextEncoder().encode(`${set.totalWeight};${text}`)
    const bytes = set.validators.flatMap(({ publicKey, nodeIds }) => [publicKey.uncompressed, ...nodeIds])
    known = Hex.encodeBare(Id.hash(Bytes.concat(facts, ...bytes)))
    fingerprints.set(set, known)
  }
  return known
}
