import { Bytes, Codec } from '@firn/codec'
import { WarpError } from './WarpError.ts'

/** Maximum size of a message in bytes, limited by the 24 KiB of an AddressedCall. */
export const MAX_SIZE = 24 * 1024

/**
 * Codec of an owner who may act for a validator on the P-chain: any `threshold` of `addresses` (20 bytes
 * each, ascending, no duplicates).
 */
export const owner = Codec.struct({ threshold: Codec.u32, addresses: Codec.array(Codec.shortId) })

/** Codec of bytes that the node's JSON shows as null if they are empty. */
const bytesOrNull = Codec.withJson(Codec.bytes(), {
  json: (value, _context, plain) => (value.length === 0 ? null : plain(value)),
  unjson: (json, _context, plain) => (json === null ? new Uint8Array() : plain(json)),
})

/**
 * Codec of the messages that an AddressedCall to or from the P-chain carries. Source: avalanchego
 * `warp/message` (ACP-77).
 */
export const codec = Codec.versioned(
  Codec.union({
    SubnetToL1Conversion: [0, Codec.struct({ id: Codec.id })],
    RegisterL1Validator: [
      1,
      Codec.struct({
        subnetID: Codec.id,
        nodeID: bytesOrNull,
        blsPublicKey: Codec.fixed(48, { json: 'numbers' }),
        expiry: Codec.u64,
        remainingBalanceOwner: owner,
        disableOwner: owner,
        weight: Codec.u64,
      }),
    ],
    L1ValidatorRegistration: [2, Codec.struct({ validationID: Codec.id, registered: Codec.bool })],
    L1ValidatorWeight: [3, Codec.struct({ validationID: Codec.id, nonce: Codec.u64, weight: Codec.u64 })],
  }),
  { version: 0, maxSize: MAX_SIZE },
)

/** A message between an L1's validator manager and the P-chain, discriminated by `type`. */
export type L1Message = Codec.Infer<typeof codec>
/**
 * Message from the P-chain to an L1: the subnet was converted, and `id` is the {@link ConversionData} id. 38
 * bytes.
 */
export type SubnetToL1Conversion = Extract<L1Message, { type: 'SubnetToL1Conversion' }>
/**
 * Message from an L1 to the P-chain: registers a validator. The P-chain rejects it from `expiry` (Unix seconds) on.
 * 142 bytes plus 20 for each address.
 */
export type RegisterL1Validator = Extract<L1Message, { type: 'RegisterL1Validator' }>
/**
 * Message from the P-chain to an L1: the validation exists, or it does not exist and can never exist (again).
 * 39 bytes.
 */
export type L1ValidatorRegistration = Extract<L1Message, { type: 'L1ValidatorRegistration' }>
/** Message in both directions: sets a validator's weight, or reports it. 54 bytes. */
export type L1ValidatorWeight = Extract<L1Message, { type: 'L1ValidatorWeight' }>
/** An owner who may act for a validator on the P-chain, see {@link owner}. */
export type Owner = Codec.Infer<typeof owner>

const NODE_ID_LENGTH = 20
const REMOVAL_NONCE = 2n ** 64n - 1n

/**
 * Encodes a message.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { L1Message } from '@firn/warp'
 *
 * const validationID = new Uint8Array(32).fill(7)
 * const bytes = L1Message.encode({ type: 'L1ValidatorWeight', validationID, nonce: 1n, weight: 100n })
 * ```
 */
export function encode(message: L1Message): Uint8Array {
  return codec.encode(message)
}

/**
 * Decodes the message in `bytes` without checking its meaning; see {@link assert}.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`,
 * `CODEC_SIZE`, `CODEC_VALUE`
 * @example
 * ```ts
 * import { L1Message } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const message = L1Message.decode(bytes)
 * if (message.type === 'L1ValidatorWeight') console.log(message.weight)
 * ```
 */
export function decode(bytes: Uint8Array): L1Message {
  return codec.decode(bytes)
}

/**
 * Decodes the message in `bytes`, which must be of the given type.
 * @throws WarpError `WARP_WRONG_TYPE`
 * @throws CodecError the errors of {@link decode}
 * @example
 * ```ts
 * import { L1Message } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const { nodeID, weight } = L1Message.decodeAs(bytes, 'RegisterL1Validator')
 * ```
 */
export function decodeAs<Type extends L1Message['type']>(
  bytes: Uint8Array,
  type: Type,
): Extract<L1Message, { type: Type }> {
  const message = decode(bytes)
  if (message.type !== type) {
    throw new WarpError('WARP_WRONG_TYPE', `expected a message of type ${type}, got ${message.type}`, {
      details: { expected: type, got: message.type },
    })
  }
  return message as Extract<L1Message, { type: Type }>
}

/**
 * Checks a message by the P-chain's rules that need no state. Does not check the BLS key of a registration,
 * because the transaction that carries the message proves its possession.
 * @throws WarpError `WARP_SUBNET_ID` (Primary Network), `WARP_ZERO_WEIGHT`, `WARP_NODE_ID` (not 20 bytes, or
 * all zero), `WARP_OWNER` (threshold above the number of addresses, threshold 0 with addresses, addresses not
 * ascending), `WARP_NONCE`
 * @example
 * ```ts
 * import { L1Message } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const message = L1Message.decode(bytes)
 * L1Message.assert(message)
 * ```
 */
export function assert(message: L1Message): void {
  if (message.type === 'RegisterL1Validator') assertRegistration(message)
  if (message.type === 'L1ValidatorWeight' && message.nonce === REMOVAL_NONCE && message.weight !== 0n) {
    throw new WarpError(
      'WARP_NONCE',
      `expected weight 0 with nonce ${REMOVAL_NONCE} (reserved for removal), got weight ${message.weight}`,
    )
  }
}

function assertRegistration(message: RegisterL1Validator): void {
  if (Bytes.isZero(message.subnetID)) {
    throw new WarpError('WARP_SUBNET_ID', "expected the subnet id of an L1, got the Primary Network's")
  }
  if (message.weight === 0n) throw new WarpError('WARP_ZERO_WEIGHT', 'expected a weight above 0, got 0')
  if (message.nodeID.length !== NODE_ID_LENGTH || Bytes.isZero(message.nodeID)) {
    throw new WarpError(
      'WARP_NODE_ID',
      `expected a node id of ${NODE_ID_LENGTH} bytes that are not all zero, got ${message.nodeID.length} ${Bytes.isZero(message.nodeID) ? 'zero bytes' : 'bytes'}`,
    )
  }
  assertOwner('remainingBalanceOwner', message.remainingBalanceOwner)
  assertOwner('disableOwner', message.disableOwner)
}

function assertOwner(path: string, { threshold, addresses }: Owner): void {
  if (threshold > addresses.length) {
    throw new WarpError(
      'WARP_OWNER',
      `${path}: expected a threshold of at most ${addresses.length} (the number of addresses), got ${threshold}`,
    )
  }
  if (threshold === 0 && addresses.length > 0) {
    throw new WarpError(
      'WARP_OWNER',
      `${path}: expected no addresses with threshold 0, got ${addresses.length} addresses`,
    )
  }
  for (let i = 1; i < addresses.length; i++) {
    if (Bytes.compare(addresses[i - 1] as Uint8Array, addresses[i] as Uint8Array) >= 0) {
      throw new WarpError(
        'WARP_OWNER',
        `${path}: expected ascending addresses, but address ${i} is not greater than the previous one`,
      )
    }
  }
}
