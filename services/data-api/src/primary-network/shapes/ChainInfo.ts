import { Type } from 'typebox'

/** The chain of a list of transactions. */
export const ChainInfo = Type.Object({
  chainName: Type.Enum(['p-chain', 'x-chain', 'c-chain']),
  network: Type.String({ description: 'mainnet, fuji, or the name of the served network' }),
})
