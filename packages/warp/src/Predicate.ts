import { Bytes } from '@firn/codec'
import { WarpError } from './WarpError.ts'

const WORD = 32
const DELIMITER = 0xff

/**
 * Encodes a signed message as a predicate: storage keys (32 bytes each) of the Warp precompile in the access list of
 * the transaction that delivers the message. The bytes are followed by 0xff and by zeros up to a multiple of 32.
 * Source: avalanchego `vms/evm/predicate`.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Predicate, WarpEvent } from '@firn/warp'
 *
 * declare const signedMessage: Uint8Array
 * const storageKeys = Predicate.encode(signedMessage).map(Hex.encode)
 * const accessList = [{ address: Hex.encode(WarpEvent.ADDRESS), storageKeys }]
 * ```
 */
export function encode(bytes: Uint8Array): Uint8Array[] {
  const padded = new Uint8Array((Math.floor(bytes.length / WORD) + 1) * WORD)
  padded.set(bytes)
  padded[bytes.length] = DELIMITER
  return Array.from({ length: padded.length / WORD }, (_, index) =>
    padded.slice(index * WORD, (index + 1) * WORD),
  )
}

/**
 * Decodes the bytes in the storage keys of one entry of an access list.
 * @throws WarpError `WARP_PREDICATE` if a key does not have 32 bytes, if 0xff is missing, or if there are more zeros
 * than necessary
 * @example
 * ```ts
 * import { Predicate, SignedMessage } from '@firn/warp'
 *
 * declare const storageKeys: readonly Uint8Array[]
 * const message = SignedMessage.decode(Predicate.decode(storageKeys))
 * ```
 */
export function decode(words: readonly Uint8Array[]): Uint8Array {
  const wrong = words.find(({ length }) => length !== WORD)
  if (wrong !== undefined) throw fault(`storage keys of 32 bytes, got one of ${wrong.length}`)
  const padded = Bytes.concat(...words)
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== DELIMITER) throw fault('0xff as the last byte that is not zero')
  if (padded.length - end > WORD) throw fault('fewer than 32 zeros after 0xff')
  return padded.slice(0, end)
}

function fault(expected: string): WarpError {
  return new WarpError('WARP_PREDICATE', `not a predicate: expected ${expected}`)
}
