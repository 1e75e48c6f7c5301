import { Type } from 'typebox'

/** Chain and network of an answer. */
export const ChainInfo = Type.Object({
  chainName: Type.Enum(['p-chain', 'x-chain', 'c-chain']),
  network: Type.String({ description: 'mainnet, fuji, or the name of the custom network' }),
})
