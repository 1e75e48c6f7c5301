import * as Bech32 from './Bech32.ts'
import { CodecError } from './CodecError.ts'
import { quoted } from './internal/quoted.ts'

/**
 * Length of an address in bytes. An address is the RIPEMD-160 of the SHA-256 of the compressed public key.
 */
export const LENGTH = 20

/**
 * The parts of an address string: the chain (alias or blockchain id), the network's human-readable part, and
 * the payload.
 */
export interface Address {
  readonly chain: string
  readonly hrp: string
  readonly payload: Uint8Array
}

/**
 * Formats an address as `chain-bech32`, for example `X-avax1…`.
 * @throws CodecError `CODEC_BECH32`
 * @example
 * ```ts
 * import { Address, Bech32 } from '@firn/codec'
 *
 * const { payload } = Bech32.decode('avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * Address.format({ chain: 'P', hrp: 'avax', payload }) // 'P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw'
 * ```
 */
export function format(address: Address): string {
  return `${address.chain}-${Bech32.encode(address.hrp, address.payload)}`
}

/**
 * Splits a `chain-bech32` address into its parts. The chain is everything before the first dash. It is not
 * checked, and may be empty. The payload may have any length, as in the node's `address.Parse`.
 * @throws CodecError `CODEC_ADDRESS` (no dash), `CODEC_BECH32`
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 *
 * const { chain, hrp, payload } = Address.parse('X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u')
 * console.log(chain, hrp, payload.length) // X local 20
 * ```
 */
export function parse(text: string): Address {
  const dash = text.indexOf('-')
  if (dash < 0)
    throw new CodecError('CODEC_ADDRESS', `expected an address like X-avax1…, got ${quoted(text)}`)
  return { chain: text.slice(0, dash), ...Bech32.decode(text.slice(dash + 1)) }
}

/**
 * Returns the 20 bytes of an address, given with or without its chain prefix.
 * @throws CodecError `CODEC_BECH32`, `CODEC_ADDRESS` (not 20 bytes)
 * @example
 * ```ts
 * import { Address, ShortId } from '@firn/codec'
 *
 * const bytes = Address.parseBytes('P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u')
 * ShortId.format(bytes) // '6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV'
 * ```
 */
export function parseBytes(text: string): Uint8Array {
  const { payload } = Bech32.decode(text.slice(text.indexOf('-') + 1))
  if (payload.length !== LENGTH) {
    throw new CodecError(
      'CODEC_ADDRESS',
      `expected an address of ${LENGTH} bytes, got ${payload.length} bytes in ${quoted(text)}`,
    )
  }
  return payload
}
