import { Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Transactions } from '@firn/store'
import type { DataContext } from '../network/Context.ts'
import { platformFacts } from '../platform/Facts.ts'
import { assetsOf, platformTransaction } from '../platform/shape.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import type { ChainShapes } from './listTransactions.ts'

/** Returns the blockchain ids of the chains as they appear in answers. */
export function chainIds({ genesis }: DataContext) {
  return {
    P: Id.format(Networks.PRIMARY_NETWORK_ID),
    X: Id.format(genesis.xChain.blockchainId),
    C: Id.format(genesis.cChain.blockchainId),
  }
}

/** Returns the formatters of P-chain transactions. */
export function platformShapes(context: DataContext, directory: AssetDirectory): ChainShapes {
  const { store, constants, genesis, followsCChain } = context
  const ids = chainIds(context)
  return {
    shapes: async (at, page) => {
      const facts = (await platformFacts(store, at, page)).map((one) => {
        return { ...one, unknown: Transactions.unknownInputs(context, 'P', one.listed) }
      })
      const assetIds = [genesis.avaxAssetId, ...facts.flatMap((one) => [...assetsOf(one)])]
      const around = { constants, followsCChain, chainIds: ids, assets: await directory.of(assetIds) }
      return facts.map((one) => platformTransaction(one, around, genesis.avaxAssetId))
    },
  }
}
