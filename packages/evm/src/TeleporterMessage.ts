import { Bytes, Hex } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { EventInput, Parameter } from './EventAbi.ts'
import * as EventDecoder from './EventDecoder.ts'

/** Confirms the delivery of an earlier message in the opposite direction. */
export interface Receipt {
  /** Nonce of the message that was delivered. */
  readonly nonce: bigint
  /** Address that may redeem the fee of that message. */
  readonly relayer: Uint8Array
}

/** A message of a TeleporterMessenger contract to the contract with the same address on another chain. */
export interface TeleporterMessage {
  readonly nonce: bigint
  /** Account or contract that sent the message, 20 bytes. */
  readonly sender: Uint8Array
  /** Blockchain id of the destination, 32 bytes. */
  readonly destination: Uint8Array
  /** Contract that executes the message, 20 bytes. */
  readonly recipient: Uint8Array
  readonly requiredGasLimit: bigint
  /** Accounts that may deliver the message; empty for everyone. */
  readonly allowedRelayers: readonly Uint8Array[]
  readonly receipts: readonly Receipt[]
  /** Payload for the recipient. If it is empty, the message only carries receipts, and nothing is executed. */
  readonly data: Uint8Array
}

const plain = (type: string): Parameter => ({ name: '', type })

/** The message as a parameter of events. */
export const PARAMETER: EventInput = {
  name: 'message',
  type: 'tuple',
  indexed: false,
  components: [
    ...['uint256', 'address', 'bytes32', 'address', 'uint256', 'address[]'].map(plain),
    { ...plain('tuple[]'), components: [plain('uint256'), plain('address')] },
    plain('bytes'),
  ],
}

type Tuple = readonly [
  nonce: bigint,
  sender: Uint8Array,
  destination: Uint8Array,
  recipient: Uint8Array,
  requiredGasLimit: bigint,
  allowedRelayers: readonly Uint8Array[],
  receipts: readonly (readonly [nonce: bigint, relayer: Uint8Array])[],
  data: Uint8Array,
]

/**
 * Returns the message in the decoded value of {@link PARAMETER}.
 *
 * @example
 * ```ts
 * import { type EventDecoder, TeleporterMessage } from '@firn/evm'
 *
 * declare const value: EventDecoder.Value
 * console.log(TeleporterMessage.ofValue(value).nonce)
 * ```
 */
export function ofValue(value: EventDecoder.Value): TeleporterMessage {
  const [nonce, sender, destination, recipient, requiredGasLimit, allowedRelayers, receipts, data] =
    value as Tuple
  return {
    ...{ nonce, sender, destination, recipient, requiredGasLimit, allowedRelayers, data },
    receipts: receipts.map(([nonce, relayer]) => ({ nonce, relayer })),
  }
}

/**
 * Decodes the message that a Warp message carries, or the data of an event whose first value is the message. Returns
 * undefined for other bytes.
 *
 * @example
 * ```ts
 * import { TeleporterMessage } from '@firn/evm'
 * import { Payload, type UnsignedMessage } from '@firn/warp'
 *
 * declare const warp: UnsignedMessage.UnsignedMessage
 * const { payload } = Payload.decodeAs(warp.payload, 'AddressedCall')
 * console.log(TeleporterMessage.decode(payload)?.nonce)
 * ```
 */
export function decode(bytes: Uint8Array): TeleporterMessage | undefined {
  const event = { name: '', inputs: [PARAMETER] }
  const [value] = EventDecoder.decode(event, { topics: [new Uint8Array()], data: bytes }) ?? []
  return value === undefined ? undefined : ofValue(value)
}

const WORD = 32

/**
 * Returns the id (32 bytes) of the message with a nonce that a messenger contract (20 bytes) sent from a blockchain to
 * another one: Keccak-256 of the ABI encoding of all four.
 *
 * @example
 * ```ts
 * import { TeleporterMessage } from '@firn/evm'
 *
 * declare const messenger: Uint8Array
 * declare const source: Uint8Array
 * declare const destination: Uint8Array
 * TeleporterMessage.id(messenger, source, destination, 1n).length // 32
 * ```
 * @throws RangeError if the address of the messenger is longer than 32 bytes
 */
export function id(
  messenger: Uint8Array,
  source: Uint8Array,
  destination: Uint8Array,
  nonce: bigint,
): Uint8Array {
  const padding = new Uint8Array(WORD - messenger.length)
  return keccak_256(
    Bytes.concat(
      padding,
      messenger,
      source,
      destination,
      Hex.decodeBare(nonce.toString(16).padStart(2 * WORD, '0')),
    ),
  )
}
