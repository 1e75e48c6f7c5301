import { Hex } from '@firn/codec'

/**
 * Returns an id that the golden vectors use: the name of a chain or an asset in ASCII, with a number at the
 * end.
 */
const idOf = (name: string, number: number): Uint8Array => {
  const id = new Uint8Array(32)
  id.set(new TextEncoder().encode(name))
  id[31] = number
  return id
}

export const X_CHAIN_ID = idOf('xchain', 1)
export const C_CHAIN_ID = idOf('cchain', 2)
export const AVAX_ASSET_ID = idOf('avax', 3)
/** Id of the P-chain, which is all zeros. */
export const P_CHAIN_ID = Hex.decodeBare('00'.repeat(32))
