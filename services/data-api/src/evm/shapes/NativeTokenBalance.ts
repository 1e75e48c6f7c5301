import type { EvmChain } from '@firn/store/evm'
import type { Body } from '../../front/Endpoint.ts'
import * as Field from '../../front/Field.ts'
import * as Schema from '../../front/Schema.ts'
import { chainIdText } from './ChainInfo.ts'

/**
 * Balance of an address in the chain's native token. Lists of token balances leave it out while no node of the chain
 * responds.
 */
export const NativeTokenBalance = Schema.object(
  'NativeTokenBalance',
  'Balance of an address in the native token of a chain. Lists of token balances leave it out while no node of the chain responds.',
  {
    name: Schema.text('Name of the token', 'Avalanche'),
    symbol: Schema.text('Symbol of the token', 'AVAX'),
    decimals: Schema.integer('Number of decimals', 18),
    chainId: chainIdText,
    balance: Field.wei('Balance', '1000000000000000000'),
  },
)

/** Returns a native balance in the Data API's format. */
export function nativeTokenBalance({ chainId, token }: EvmChain, balance: bigint): Body {
  const { name, symbol, decimals } = token
  return { name, symbol, decimals, chainId: String(chainId), balance: String(balance) }
}
