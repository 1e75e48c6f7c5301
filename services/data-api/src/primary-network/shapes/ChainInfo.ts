import { Type } from 'typebox'

/** Which chain's transactions a list is of. */
export const ChainInfo = Type.Object({
  chainName: Type.Enum(['p-chain', 'x-chain', 'c-chain']),
  network: Type.String({ description: 'mainnet, fuji, or the name of the network that is served' }),
})
