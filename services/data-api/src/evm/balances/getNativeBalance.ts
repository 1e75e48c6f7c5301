import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { currency } from '../../metadata/Currency.ts'
import { chainOf, type EvmContext } from '../chain/EvmContext.ts'
import { steady } from '../chain/evmSnapshots.ts'
import { heightOf } from '../chain/heightOf.ts'
import { ofChain } from '../chain/inChain.ts'
import { address, blockNumber } from '../chain/parameters.ts'
import { NativeTokenBalance } from '../shapes/NativeTokenBalance.ts'
import { nativeBalance } from './nativeBalance.ts'

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
