import { Bytes, Hex, Id } from '@firn/codec'
import * as UnsignedMessage from './UnsignedMessage.ts'
import { WarpError } from './WarpError.ts'

/** Address (20 bytes) of the Warp precompile, which emits the event. */
export const ADDRESS: Uint8Array = Hex.decode('0x0200000000000000000000000000000000000005')

/** Topic 0 of the event (32 bytes): Keccak-256 of `SendWarpMessage(address,bytes32,bytes)`. */
export const TOPIC: Uint8Array = Hex.decode(
  '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d',
)

/** A log with its fields as bytes; `eth_getLogs` returns them as hex. */
export interface Log {
  /** Address of the contract that emitted the log, 20 bytes. */
  readonly address: Uint8Array
  /** Three topics of 32 bytes: {@link TOPIC}, the sender padded on the left, and the message id. */
  readonly topics: readonly Uint8Array[]
  /** ABI encoding of a single `bytes` value, the unsigned message. */
  readonly data: Uint8Array
}

/** A message that a contract sent through the Warp precompile. */
export interface WarpEvent {
  /** Address of the contract that sent the message, 20 bytes. */
  readonly sender: Uint8Array
  /** Id of the message (32 bytes): SHA-256 of the unsigned message. */
  readonly messageId: Uint8Array
  readonly message: UnsignedMessage.UnsignedMessage
}

const WORD = 32

/**
 * Decodes the event from a log of the Warp precompile.
 * @throws WarpError `WARP_EVENT` if the log has a different address or event, or if its message id does not
 * match the message
 * @throws CodecError if the message is malformed
 * @example
 * ```ts
 * import { WarpEvent } from '@firn/warp'
 *
 * declare const log: WarpEvent.Log // of an EVM receipt
 * const { sender, messageId, message } = WarpEvent.decode(log)
 * ```
 */
export function decode({ address, topics, data }: Log): WarpEvent {
  const [topic, sender, messageId, ...more] = topics
  if (!Bytes.equals(address, ADDRESS))
    throw fault(`a log of the address ${Hex.encode(ADDRESS)}`, Hex.encode(address))
  if (topic === undefined || sender?.length !== WORD || messageId?.length !== WORD || more.length > 0) {
    throw fault(
      'three topics of 32 bytes',
      `topics of the lengths [${topics.map((it) => it.length).join(', ')}]`,
    )
  }
  if (!Bytes.equals(topic, TOPIC)) throw fault(`the event ${Hex.encode(TOPIC)}`, Hex.encode(topic))
  if (!Bytes.isZero(sender.subarray(0, 12))) throw fault('a sender of 20 bytes', Hex.encode(sender))
  const unsigned = decodeData(data)
  if (!Bytes.equals(Id.hash(unsigned), messageId)) {
    throw fault(`the message id ${Hex.encode(Id.hash(unsigned))}`, Hex.encode(messageId))
  }
  return {
    sender: new Uint8Array(sender.subarray(12)),
    messageId: new Uint8Array(messageId),
    message: UnsignedMessage.decode(unsigned),
  }
}

/**
 * Encodes the log that the precompile emits for a message from `sender` (20 bytes).
 *
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { UnsignedMessage, WarpEvent } from '@firn/warp'
 *
 * declare const message: UnsignedMessage.UnsignedMessage
 * const sender = new Uint8Array(20).fill(0xab)
 * WarpEvent.encode(sender, message).topics.length // 3
 * ```
 */
export function encode(sender: Uint8Array, message: UnsignedMessage.UnsignedMessage): Log {
  const unsigned = UnsignedMessage.encode(message)
  return {
    address: ADDRESS.slice(),
    topics: [TOPIC.slice(), Bytes.concat(new Uint8Array(WORD - sender.length), sender), Id.hash(unsigned)],
    data: encodeData(unsigned),
  }
}

/**
 * Returns the unsigned message bytes in the data of a log. The data consists of the offset 32, the length,
 * and the bytes, zero-padded to a multiple of 32 bytes.
 * @throws WarpError `WARP_EVENT` if the data has another form
 * @example
 * ```ts
 * import { UnsignedMessage, WarpEvent } from '@firn/warp'
 *
 * declare const log: WarpEvent.Log
 * const message = UnsignedMessage.decode(WarpEvent.decodeData(log.data))
 * ```
 */
export function decodeData(data: Uint8Array): Uint8Array {
  if (data.length < 2 * WORD) throw fault('data of at least 64 bytes', `${data.length} bytes`)
  if (word(data, 0) !== WORD)
    throw fault('the offset 32 in the first word', Hex.encode(data.subarray(0, WORD)))
  const length = word(data, WORD)
  const end = 2 * WORD + length
  if (data.length !== 2 * WORD + padded(length)) {
    throw fault(
      `data of ${2 * WORD + padded(length)} bytes for a message of ${length} bytes`,
      `${data.length} bytes`,
    )
  }
  if (!Bytes.isZero(data.subarray(end)))
    throw fault('zero padding after the message', Hex.encode(data.subarray(end)))
  return new Uint8Array(data.subarray(2 * WORD, end))
}

/**
 * Encodes the data of a message's log: `unsigned` as a single ABI-encoded `bytes` value.
 *
 * @example
 * ```ts
 * import { WarpEvent } from '@firn/warp'
 *
 * WarpEvent.encodeData(Uint8Array.of(1, 2, 3)).length // 96
 * ```
 */
export function encodeData(unsigned: Uint8Array): Uint8Array {
  const data = new Uint8Array(2 * WORD + padded(unsigned.length))
  const view = new DataView(data.buffer)
  view.setUint32(WORD - 4, WORD)
  view.setUint32(2 * WORD - 4, unsigned.length)
  data.set(unsigned, 2 * WORD)
  return data
}

/**
 * Reads a uint256 as a length. Returns infinity for a value beyond 32 bits, which cannot be a length here.
 */
function word(data: Uint8Array, offset: number): number {
  const end = offset + WORD
  if (!Bytes.isZero(data.subarray(offset, end - 4))) return Number.POSITIVE_INFINITY
  return new DataView(data.buffer, data.byteOffset).getUint32(end - 4)
}

function padded(length: number): number {
  return Math.ceil(length / WORD) * WORD
}

function fault(expected: string, got: string): WarpError {
  return new WarpError('WARP_EVENT', `expected ${expected}, got ${got}`)
}
