import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Schema from '../front/Schema.ts'
import { currency } from '../metadata/Currency.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { steady } from './evmSnapshots.ts'
import { heightOf } from './heightOf.ts'
import { ofChain } from './inChain.ts'
import { nativeBalance } from './nativeBalance.ts'
import { address, blockNumber } from './parameters.ts'
import { NativeTokenBalance } from './shapes/NativeTokenBalance.ts'

/** `GET …/addresses/{address}/balances:getNative`: an address's balance in the chain's native token. */
export function getNativeBalance(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}/addresses/{address}/balances:getNative',
    operationId: 'getNativeBalance',
    summary: 'Balance of an address in the chain’s native token',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    pathParameters: { ...ofChain(context), address },
    queryParameters: { blockNumber: Parameter.optional(blockNumber), currency },
    response: Schema.object('GetNativeBalanceResponse', 'Balance of an address in the native token', {
      nativeTokenBalance: NativeTokenBalance,
    }),
    handle: ({ path, query, signal }) => {
      const source = chainOf(context, path.chainId)
      return steady(source.store, signal, async (at) => {
        const height = heightOf(source, at, query.blockNumber)
        return {
          nativeTokenBalance: await nativeBalance(
            context,
            source,
            path.address,
            height,
            signal,
            query.currency,
          ),
        }
      })
    },
  })
}
