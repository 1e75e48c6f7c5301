import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { getBlockchainById } from './getBlockchainById.ts'
import { getLastActivity, getLastActivityOfMany } from './getLastActivity.ts'
import { getNetworkDetails } from './getNetworkDetails.ts'
import { listBlockchains } from './listBlockchains.ts'
import { listChainIds } from './listChainIds.ts'
import { getSubnetById, listSubnets } from './listSubnets.ts'
import { createChainGeneses } from './network/ChainGenesis.ts'
import type { DataContext } from './network/Context.ts'
import { type AssetDirectory, createAssetDirectory } from './shapes/AssetDirectory.ts'
import { listDelegators } from './staking/listDelegators.ts'
import { listL1Validators } from './staking/listL1Validators.ts'
import { listPendingRewards } from './staking/listPendingRewards.ts'
import { listRewards } from './staking/listRewards.ts'
import { getValidatorDetails, listValidators } from './staking/listValidators.ts'
import { atomicShapes, avmShapes } from './transactions/avmShapes.ts'
import { getAsset } from './transactions/getAsset.ts'
import { getBalances } from './transactions/getBalances.ts'
import { getBlock } from './transactions/getBlock.ts'
import { getTransaction } from './transactions/getTransaction.ts'
import { listAssetTransactions } from './transactions/listAssetTransactions.ts'
import { listBlocks } from './transactions/listBlocks.ts'
import { listProposedBlocks } from './transactions/listProposedBlocks.ts'
import { listStaking } from './transactions/listStaking.ts'
import { type AllShapes, listTransactions } from './transactions/listTransactions.ts'
import { listUtxos, listUtxosOfMany } from './transactions/listUtxos.ts'
import { getVertex, listVertices, listVerticesByHeight } from './transactions/listVertices.ts'
import { platformShapes } from './transactions/platformShapes.ts'

/** Returns the endpoints of the P-, X- and C-chain, including shared memory. */
export function primaryNetworkEndpoints(context: DataContext): readonly Endpoint[] {
  const geneses = createChainGeneses(context.store)
  const directory = createAssetDirectory(context.store)
  const shapes = allShapes(context, directory)
  const platform = shapes['p-chain']
  return [
    listBlockchains(context, geneses),
    getBlockchainById(context, geneses),
    listSubnets(context, geneses),
    getSubnetById(context, geneses),
    listL1Validators(context),
    listTransactions(context, shapes),
    getTransaction(context, shapes),
    listStaking(context, platform),
    getBalances(context, directory),
    listUtxos(context, directory),
    listUtxosOfMany(context, directory),
    listRewards(context, directory),
    listPendingRewards(context, directory),
    getNetworkDetails(context),
    listValidators(context),
    getValidatorDetails(context),
    listDelegators(context),
    listChainIds(context),
    getLastActivity(context),
    getLastActivityOfMany(context),
    listBlocks(context),
    listProposedBlocks(context),
    getBlock(context),
    listVertices(context),
    listVerticesByHeight(context),
    getVertex(context),
    getAsset(context),
    listAssetTransactions(context, shapes['x-chain']),
  ]
}

/** Returns the formatters of transactions of all chains. */
export function allShapes(
  context: DataContext,
  directory: AssetDirectory = createAssetDirectory(context.store),
): AllShapes {
  return {
    'p-chain': platformShapes(context, directory),
    'x-chain': avmShapes(context, directory),
    'c-chain': atomicShapes(context, directory),
  }
}
