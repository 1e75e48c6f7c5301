import { isFirnError } from '@firn/codec'
import { CChainGenesis, EvmGenesis, type Genesis, type Networks } from '@firn/genesis'

/**
 * Returns the hash of the C-chain's block 0, or all zeros if it cannot be computed from this kind of genesis.
 */
export function firstEvmBlock({ cChain }: Genesis.Genesis, { upgrades }: Networks.Constants): Uint8Array {
  try {
    return CChainGenesis.firstBlock(EvmGenesis.parse(cChain.genesisData), upgrades).hash
  } catch (error) {
    if (isFirnError(error)) return new Uint8Array(32)
    throw error
  }
}
