import { Codec } from '@firn/codec'
import { UnsignedTx } from '@firn/txs'
import { refuse } from './refuse.ts'

const payload = Codec.bytes()

/** A signed Warp message. */
export const SignedMessage = Codec.versioned(
  Codec.struct({
    networkID: Codec.u32,
    sourceChainID: Codec.id,
    payload,
    signature: Codec.union({
      BitSetSignature: [0, Codec.struct({ signers: payload, signature: Codec.fixed(96) })],
    }),
  }),
)

/** What it carries. */
export const Payload = Codec.versioned(
  Codec.union({
    Hash: [0, Codec.struct({ hash: Codec.id })],
    AddressedCall: [1, Codec.struct({ sourceAddress: payload, payload })],
  }),
)

/** What an L1's manager asks of the P-chain (ACP-77). */
export const Call = Codec.versioned(
  Codec.union({
    RegisterL1Validator: [
      1,
      Codec.struct({
        subnetID: Codec.id,
        nodeID: payload,
        blsPublicKey: Codec.fixed(48),
        expiry: Codec.u64,
        remainingBalanceOwner: UnsignedTx.PChainOwner,
        disableOwner: UnsignedTx.PChainOwner,
        weight: Codec.u64,
      }),
    ],
    L1ValidatorWeight: [3, Codec.struct({ validationID: Codec.id, nonce: Codec.u64, weight: Codec.u64 })],
  }),
)
export type Call = Codec.Infer<typeof Call>

/** A message with who sent it, and its own bytes. */
export interface Received<T extends Call['type']> {
  readonly sourceChainID: Uint8Array
  readonly sourceAddress: Uint8Array
  readonly bytes: Uint8Array
  readonly call: Extract<Call, { readonly type: T }>
}

/** The call in a signed Warp message, which must be of the type asked for. Its signature is not looked at. */
export function receive<T extends Call['type']>(message: Uint8Array, type: T): Received<T> {
  const { sourceChainID, payload } = SignedMessage.decode(message)
  const addressed = Payload.decode(payload)
  if (addressed.type !== 'AddressedCall') {
    return refuse('LEDGER_MESSAGE', `expected an AddressedCall, got a ${addressed.type}`)
  }
  const call = Call.decode(addressed.payload)
  if (call.type !== type) return refuse('LEDGER_MESSAGE', `expected a ${type}, got a ${call.type}`)
  const { sourceAddress, payload: bytes } = addressed
  return { sourceChainID, sourceAddress, bytes, call: call as Received<T>['call'] }
}

/** What a conversion's id is the hash of. */
export const ConversionData = Codec.versioned(
  Codec.struct({
    subnetID: Codec.id,
    managerChainID: Codec.id,
    managerAddress: payload,
    validators: Codec.array(
      Codec.struct({ nodeID: payload, blsPublicKey: Codec.fixed(48), weight: Codec.u64 }),
    ),
  }),
  { maxSize: 2 * 1024 * 1024 },
)
