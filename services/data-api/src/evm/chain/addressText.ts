import { Hex } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import { LRUCache } from 'lru-cache'

/** Address shown where no address exists, for example as the recipient of a contract creation. */
export const ZERO_ADDRESS: Uint8Array = new Uint8Array(20)

/** Cache of formatted addresses. Formatting needs a hash, and a few addresses occur very often. */
const FORMATTED = new LRUCache<string, string>({ max: 20_000 })

/** Formats an address with its ERC-55 checksum. */
export function addressText(address: Uint8Array): string {
  const digits = Hex.encodeBare(address)
  const known = FORMATTED.get(digits)
  if (known !== undefined) return known
  const text = EvmAddress.format(address)
  FORMATTED.set(digits, text)
  return text
}
