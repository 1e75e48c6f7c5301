import type { DataContext } from '../Context.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { type AssetDirectory, createAssetDirectory } from './AssetDirectory.ts'
import { atomicShapes, avmShapes } from './avmShapes.ts'
import { createChainGeneses } from './ChainGenesis.ts'
import { getAsset } from './getAsset.ts'
import { getBalances } from './getBalances.ts'
import { getBlock } from './getBlock.ts'
import { getBlockchainById } from './getBlockchainById.ts'
import { getLastActivity, getLastActivityOfMany } from './getLastActivity.ts'
import { getNetworkDetails } from './getNetworkDetails.ts'
import { getTransaction } from './getTransaction.ts'
import { listAssetTransactions } from './listAssetTransactions.ts'
import { listBlockchains } from './listBlockchains.ts'
import { listBlocks } from './listBlocks.ts'
import { listChainIds } from './listChainIds.ts'
import { listDelegators } from './listDelegators.ts'
import { listL1Validators } from './listL1Validators.ts'
import { listPendingRewards } from './listPendingRewards.ts'
import { listProposedBlocks } from './listProposedBlocks.ts'
import { listRewards } from './listRewards.ts'
import { listStaking } from './listStaking.ts'
import { getSubnetById, listSubnets } from './listSubnets.ts'
import { type AllShapes, listTransactions } from './listTransactions.ts'
import { listUtxos, listUtxosOfMany } from './listUtxos.ts'
import { getValidatorDetails, listValidators } from './listValidators.ts'
import { getVertex, listVertices, listVerticesByHeight } from './listVertices.ts'
import { platformShapes } from './platformShapes.ts'

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
