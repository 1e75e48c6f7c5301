import { PublicKey } from '@firn/bls'
import { Bytes, Codec, CodecError, excerpt, Hex, Id, Json } from '@firn/codec'
import type { Quorum } from './Quorum.ts'
import type { SignedMessage } from './SignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as Verification from './Verification.ts'
import { WarpError } from './WarpError.ts'

/**
 * Everything needed to verify a signed message offline: the validators that may sign, and the origin of this
 * set. A bundle does not prove that the set is genuine; compare its `hash` with one from a trusted source.
 */
export interface ProofBundle extends ValidatorSet.ValidatorSet {
  readonly networkId: number
  /** Id of the subnet whose validators sign (32 bytes). */
  readonly signingSubnetId: Uint8Array
  readonly pChainHeight: bigint
  /** SHA-256 of the content (32 bytes), see {@link hash}. */
  readonly hash: Uint8Array
}

/** The JSON of a bundle, as services return it. */
export type BundleJson = Readonly<Record<'networkID', number>> & {
  /** Id in cb58. */
  readonly signingSubnetID: string
  /** Decimal number, as the weights are. */
  readonly pChainHeight: string
  readonly totalWeight: string
  readonly validators: readonly ValidatorJson[]
  /** SHA-256 in hex with `0x`. */
  readonly hash: string
}

/** The JSON of a validator: its compressed key in hex with `0x`, its weight as a decimal number, and its NodeIDs. */
export type ValidatorJson = {
  readonly publicKey: string
  readonly weight: string
  readonly nodeIDs: readonly string[]
}

/** A bundle without its hash. */
export type Content = Omit<ProofBundle, 'hash'>

/**
 * Codec of a 64-bit number whose JSON is a decimal string, because JSON numbers are exact only up to 2^53.
 */
const decimal = Codec.withJson(Codec.u64, {
  json: (value) => value.toString(),
  unjson: (json, _context, plain) => {
    if (typeof json === 'string' && /^(?:0|[1-9][0-9]{0,19})$/.test(json)) return plain(BigInt(json))
    throw new CodecError('CODEC_VALUE', `expected a decimal string, got a value of type ${typeof json}`)
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

/**
 * Creates a bundle from the signing subnet's validator set at a P-chain height.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { ProofBundle, ValidatorSet } from '@firn/warp'
 *
 * declare const validatorSet: ValidatorSet.ValidatorSet
 * const bundle = ProofBundle.create({
 *   networkId: 5,
 *   signingSubnetId: Id.EMPTY, // the Primary Network
 *   pChainHeight: 230_000n,
 *   validatorSet,
 * })
 * ```
 */
export function create(content: {
  readonly networkId: number
  readonly signingSubnetId: Uint8Array
  readonly pChainHeight: bigint
  readonly validatorSet: ValidatorSet.ValidatorSet
}): ProofBundle {
  const { validatorSet, ...where } = content
  const whole = { ...where, validators: validatorSet.validators, totalWeight: validatorSet.totalWeight }
  return { ...whole, hash: hash(whole) }
}

/**
 * Returns the hash of a bundle (32 bytes). It is the SHA-256 of u16 version 0, u32 networkID, signingSubnetID
 * (32 bytes), u64 pChainHeight, u64 totalWeight and u32 count, followed by each validator in canonical order:
 * compressed key (48 bytes), u64 weight, u32 count of node ids, and the node ids (20 bytes each) in ascending
 * order.
 *
 * @throws CodecError `CODEC_VALUE` if a field does not match its type, `CODEC_SIZE`
 * @example
 * ```ts
 * import { Bytes } from '@firn/codec'
 * import { ProofBundle } from '@firn/warp'
 *
 * declare const bundle: ProofBundle.ProofBundle
 * Bytes.equals(ProofBundle.hash(bundle), bundle.hash) // true
 * ```
 */
export function hash(content: Content): Uint8Array {
  return Id.hash(codec.encode(toWire(content)))
}

/**
 * Verifies a message against the bundle's validator set, without a network. The caller must check that the
 * bundle's subnet is the one that signs for the message's source chain. Never throws, whatever the message
 * contains.
 *
 * @example
 * ```ts
 * import { ProofBundle, Quorum, SignedMessage } from '@firn/warp'
 *
 * declare const bundle: ProofBundle.ProofBundle
 * declare const message: SignedMessage.SignedMessage
 * const result = ProofBundle.verify(bundle, message, Quorum.DEFAULT)
 * console.log(result.ok ? result.signedWeight : result.reason)
 * ```
 */
export function verify(bundle: ProofBundle, message: SignedMessage, quorum: Quorum): Verification.Result {
  return Verification.verify(message, { networkId: bundle.networkId, validatorSet: bundle, quorum })
}

/**
 * Returns the bundle as JSON. Ids are in cb58 or `NodeID-…`, keys and hash in `0x` hex, and 64-bit numbers
 * are decimal strings.
 *
 * @example
 * ```ts
 * import { ProofBundle } from '@firn/warp'
 *
 * declare const bundle: ProofBundle.ProofBundle
 * ProofBundle.toJSON(bundle).networkID // 5
 * ```
 */
export function toJSON(bundle: ProofBundle): BundleJson {
  return { ...(codec.toJSON(toWire(bundle)) as Omit<BundleJson, 'hash'>), hash: Hex.encode(bundle.hash) }
}

/**
 * Reads a bundle from JSON, and compares its hash with the recomputed one.
 * @throws WarpError `WARP_BUNDLE`, `WARP_VALIDATOR_SET`, `WARP_PUBLIC_KEY`, `WARP_WEIGHT_OVERFLOW`
 * @throws CodecError `CODEC_VALUE` and the codes of ids and hex, with `path`
 * @example
 * ```ts
 * import { ProofBundle } from '@firn/warp'
 *
 * declare const proof: ProofBundle.BundleJson // the member `proof` of a signed message
 * console.log(ProofBundle.fromJSON(proof).pChainHeight)
 * ```
 */
export function fromJSON(json: Json.Json | BundleJson, options: ValidatorSet.Options = {}): ProofBundle {
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
    nodeIds,
  }))
  const validatorSet = ValidatorSet.fromCanonical({ validators: canonical, totalWeight }, options)
  const bundle = create({ networkId, signingSubnetId, pChainHeight, validatorSet })
  const claimed = (json as { readonly hash?: Json.Json }).hash
  if (typeof claimed !== 'string' || !Bytes.equals(Hex.decode(claimed), bundle.hash)) {
    throw new WarpError(
      'WARP_BUNDLE',
      `expected the bundle hash ${Hex.encode(bundle.hash)}, got ${excerpt(claimed, 2 * bundle.hash.length + 2)}`,
    )
  }
  return bundle
}

/**
 * Formats a bundle as JSON text.
 *
 * @throws CodecError `CODEC_VALUE` if a field does not match its type
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { ProofBundle } from '@firn/warp'
 *
 * declare const bundle: ProofBundle.ProofBundle
 * await writeFile('bundle.json', ProofBundle.format(bundle))
 * ```
 */
export function format(bundle: ProofBundle): string {
  return Json.stringify(toJSON(bundle))
}

/**
 * Parses a bundle from JSON text.
 * @throws CodecError `CODEC_JSON`
 * @throws WarpError and CodecError the errors of {@link fromJSON}
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { ProofBundle } from '@firn/warp'
 *
 * const bundle = ProofBundle.parse(await readFile('bundle.json', 'utf8'))
 * ```
 */
export function parse(text: string, options: ValidatorSet.Options = {}): ProofBundle {
  return fromJSON(Json.parse(text), options)
}

function toWire(content: Content): Codec.Infer<typeof codec> {
  const { networkId, signingSubnetId, pChainHeight, totalWeight } = content
  const validators = content.validators.map(({ publicKey, weight, nodeIds }) => ({
    publicKey: PublicKey.encode(publicKey),
    weight,
    nodeIDs: nodeIds,
  }))
  return { networkID: networkId, signingSubnetID: signingSubnetId, pChainHeight, totalWeight, validators }
}
