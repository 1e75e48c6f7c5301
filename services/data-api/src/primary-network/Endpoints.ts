import type { DataContext } from '../Context.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { createAssetDirectory } from './AssetDirectory.ts'
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
import { listRewards } from './listRewards.ts'
import { listStaking } from './listStaking.ts'
import { getSubnetById, listSubnets } from './listSubnets.ts'
import { listTransactions } from './listTransactions.ts'
import { listUtxos, listUtxosOfMany } from './listUtxos.ts'
import { getValidatorDetails, listValidators } from './listValidators.ts'
import { platformShapes } from './platformShapes.ts'

/** The endpoints over P-, X- and C-chain and their shared memory. */
export function primaryNetworkEndpoints(context: DataContext): readonly Endpoint[] {
  const geneses = createChainGeneses(context.store)
  const directory = createAssetDirectory(context.store)
  const platform = platformShapes(context, directory)
  const shapes = {
    'p-chain': platform,
    'x-chain': avmShapes(context, directory),
    'c-chain': atomicShapes(context, directory),
  }
  const keep = (endpoint: Endpoint) => ({ ...endpoint, version: versionOf(context) })
  // What a node has seen changes without a block.
  const keepUnobserved = context.observations === undefined ? keep : (endpoint: Endpoint) => endpoint
  return [
    keep(listBlockchains(context, geneses)),
    keep(getBlockchainById(context, geneses)),
    keep(listSubnets(context, geneses)),
    keep(getSubnetById(context, geneses)),
    keep(listL1Validators(context)),
    keep(listTransactions(context, shapes)),
    keep(getTransaction(context, shapes)),
    keep(listStaking(context, platform)),
    getBalances(context, directory),
    keep(listUtxos(context, directory)),
    listUtxosOfMany(context, directory),
    keep(listRewards(context, directory)),
    keep(listPendingRewards(context, directory)),
    keepUnobserved(getNetworkDetails(context)),
    keepUnobserved(listValidators(context)),
    keepUnobserved(getValidatorDetails(context)),
    keep(listDelegators(context)),
    keep(listChainIds(context)),
    keep(getLastActivity(context)),
    getLastActivityOfMany(context),
    keep(listBlocks(context)),
    keep(getBlock(context)),
    keep(getAsset(context)),
    keep(listAssetTransactions(context, shapes['x-chain'])),
  ]
}

/** An answer is as of the latest snapshot and of nothing else; a later page of a list as of its token's, for good. */
function versionOf({ store }: DataContext): NonNullable<Endpoint['version']> {
  return async ({ raw }) => (raw['pageToken'] ? 'pinned' : (await store.snapshot()).key)
}
