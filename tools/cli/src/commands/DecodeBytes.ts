import { isFirnError } from '@firn/codec'
import { Describe } from '@firn/txs'
import { Describe as WarpDescribe } from '@firn/warp'
import * as DecodeGenesis from './DecodeGenesis.ts'

const warp = (bytes: Uint8Array): readonly Describe.Reading[] => {
  try {
    const tree = WarpDescribe.tree(bytes)
    // An unsigned message with an undecoded payload does not count as fully decoded. Any bytes are a valid
    // payload, and an option block has the same layout as a mainnet message.
    const isWhole = tree.kind !== 'UnsignedMessage' || typeof tree['payload'] !== 'string'
    return [{ tree, isWhole }]
  } catch (error) {
    if (isFirnError(error)) return []
    throw error
  }
}

const STRUCTURES = [...Describe.STRUCTURES, ...DecodeGenesis.STRUCTURES]

/**
 * Decodes bytes as the most likely structure of Warp, the chains or a genesis. The tree lists the
 * alternatives. Returns undefined if no structure matches.
 */
export const decode = (bytes: Uint8Array, options: Describe.Options): Describe.Reading | undefined => {
  const readings = STRUCTURES.flatMap((structure) => Describe.readings(bytes, options, [structure]))
  return Describe.rank([...warp(bytes), ...readings], options)[0]
}
