import { PublicKey } from '@firn/bls'
import { Bytes, Codec, CodecError, Hex, Id, Json } from '@firn/codec'
import type { Quorum } from './Quorum.ts'
import type { SignedMessage } from './SignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as Verification from './Verification.ts'
import { WarpError } from './WarpError.ts'

/**
 * Everything needed to verify a signed message without a network: the validators that could sign, and where
 * that set comes from. A bundle proves nothing about the set by itself; compare its `hash` with one from a
 * trusted source.
 */
export interface ProofBundle extends ValidatorSet.ValidatorSet {
  readonly networkID: number
  /** 32 bytes. */
  readonly signingSubnetID: Uint8Array
  readonly pChainHeight: bigint
  /** 32 bytes: SHA-256 of the content, see {@link hash}. */
  readonly hash: Uint8Array
}

/** A bundle without its hash. */
export type Content = Omit<ProofBundle, 'hash'>

/** A 64-bit number as decimal digits, because JSON numbers are exact only up to 2^53. */
const decimal = Codec.withJson(Codec.u64, {
  json: (value) => value.toString(),
  unjson: (json, _context, plain) => {
    if (typeof json === 'string' && /^(?:0|[1-9][0-9]{0,19})$/.test(json)) return plain(BigInt(json))
    throw new CodecError('CODEC_VALUE', `expected a decimal string, got ${typeof json}`)
  },
})

const codec = Codec.versioned(
  Codec.struct({
    networkID: Codec.u32,
    signingSubnetID: Codec.id,
    pChainHeight: decimal,
    totalWeight: decimal,
    validators: Codec.array(
      Codec.struct({ publicKey: Codec.fixed(48), weight: decimal, nodeIDs: Codec.array(Codec.nodeId) }),
    ),
  }),
  { version: 0, maxSize: 16 * 1024 * 1024 },
)

/** Returns the bundle of a validator set: the signing subnet's set at this P-chain height. */
export function create(content: {
  readonly networkID: number
  readonly signingSubnetID: Uint8Array
  readonly pChainHeight: bigint
  readonly validatorSet: ValidatorSet.ValidatorSet
}): ProofBundle {
  const { validatorSet, ...where } = content
  const whole = { ...where, validators: validatorSet.validators, totalWeight: validatorSet.totalWeight }
  return { ...whole, hash: hash(whole) }
}

/**
 * Returns the SHA-256 (32 bytes) of: u16 version 0, u32 networkID, 32 bytes signingSubnetID, u64
 * pChainHeight, u64 totalWeight, u32 count, and for each validator in canonical order 48 bytes compressed
 * key, u64 weight, u32 count of node ids and 20 bytes each, ascending.
 */
export function hash(content: Content): Uint8Array {
  return Id.hash(codec.encode(toWire(content)))
}

/**
 * Verifies the message against the bundle's set, without a network. The caller decides whether the bundle's
 * subnet is the one that must sign for the message's source chain.
 */
export function verify(bundle: ProofBundle, message: SignedMessage, quorum: Quorum): Verification.Result {
  return Verification.verify(message, { networkId: bundle.networkID, validatorSet: bundle, quorum })
}

/**
 * Returns the JSON form: ids as cb58 and `NodeID-…`, keys and hash as `0x` hex, 64-bit numbers as decimal
 * strings.
 */
export function toJSON(bundle: ProofBundle): { readonly [member: string]: Json.Json } {
  return {
    ...(codec.toJSON(toWire(bundle)) as { readonly [member: string]: Json.Json }),
    hash: Hex.encode(bundle.hash),
  }
}

/**
 * Reads a bundle from its JSON form, recomputes its hash and compares it.
 * @throws WarpError `WARP_BUNDLE`, `WARP_VALIDATOR_SET`, `WARP_PUBLIC_KEY`, `WARP_WEIGHT_OVERFLOW`
 * @throws CodecError `CODEC_VALUE` and the codes of ids and hex, with `path`
 */
export function fromJSON(json: Json.Json, options: ValidatorSet.Options = {}): ProofBundle {
  const {
    networkID: networkId,
    signingSubnetID: signingSubnetId,
    pChainHeight,
    totalWeight,
    validators,
  } = codec.fromJSON(json)
  const canonical = validators.map(({ publicKey, weight, nodeIDs: nodeIds }) => ({
    publicKey,
    weight,
    nodeIds: nodeIds,
  }))
  const validatorSet = ValidatorSet.fromCanonical({ validators: canonical, totalWeight }, options)
  const bundle = create({
    networkID: networkId,
    signingSubnetID: signingSubnetId,
    pChainHeight,
    validatorSet,
  })
  const claimed = (json as { readonly hash?: Json.Json }).hash
  if (typeof claimed !== 'string' || !Bytes.equals(Hex.decode(claimed), bundle.hash)) {
    throw new WarpError('WARP_BUNDLE', `expected the hash ${Hex.encode(bundle.hash)}, got ${String(claimed)}`)
  }
  return bundle
}

/** Returns the JSON text of a bundle. */
export function format(bundle: ProofBundle): string {
  return Json.stringify(toJSON(bundle))
}

/**
 * Reads a bundle from JSON text.
 * @throws CodecError `CODEC_JSON`
 * @throws WarpError and CodecError as {@link fromJSON}
 */
export function parse(text: string, options: ValidatorSet.Options = {}): ProofBundle {
  return fromJSON(Json.parse(text), options)
}

function toWire(content: Content): Codec.Infer<typeof codec> {
  const { networkID: networkId, signingSubnetID: signingSubnetId, pChainHeight, totalWeight } = content
  const validators = content.validators.map(({ publicKey, weight, nodeIds }) => ({
    publicKey: PublicKey.encode(publicKey),
    weight,
    nodeIDs: nodeIds,
  }))
  return { networkID: networkId, signingSubnetID: signingSubnetId, pChainHeight, totalWeight, validators }
}
