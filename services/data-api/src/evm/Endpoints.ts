import type { Endpoint } from '../front/Endpoint.ts'
import type { EvmContext } from './EvmContext.ts'
import { getBlock } from './getBlock.ts'
import { getContract } from './getContract.ts'
import { getNativeBalance } from './getNativeBalance.ts'
import { getToken, reindexToken } from './getToken.ts'
import { getDeployment, getTransaction } from './getTransaction.ts'
import { listAddressChains } from './listAddressChains.ts'
import { listBlocks } from './listBlocks.ts'
import { listBlockTransactions } from './listBlockTransactions.ts'
import { getChain, listChains } from './listChains.ts'
import { listCollectibleBalances } from './listCollectibleBalances.ts'
import { listDeployments } from './listDeployments.ts'
import { listErc20Balances } from './listErc20Balances.ts'
import { listErc721Balances } from './listErc721Balances.ts'
import { listErc1155Balances } from './listErc1155Balances.ts'
import { listEvents } from './listEvents.ts'
import { listInternalTransactions } from './listInternalTransactions.ts'
import { listLogs } from './listLogs.ts'
import { listNativeTransactions } from './listNativeTransactions.ts'
import { listCollectionHolders, listTokenHolders } from './listNftHolders.ts'
import { listBlocksOfAllChains, listTransactionsOfAllChains } from './listOfAllChains.ts'
import { listTokens } from './listTokens.ts'
import { listTransactionDetails } from './listTransactionDetails.ts'
import { listTransactions } from './listTransactions.ts'
import { listTransfersOfAddress, listTransfersOfContract, listTransfersOfToken } from './listTransfers.ts'

/** Returns the endpoints for EVM chains. */
export function evmEndpoints(context: EvmContext): readonly Endpoint[] {
  return [
    listBlocks(context),
    getBlock(context),
    listBlockTransactions(context),
    listTransactions(context),
    listTransactionDetails(context),
    listNativeTransactions(context),
    listInternalTransactions(context),
    listLogs(context),
    listEvents(context),
    listDeployments(context),
    getContract(context),
    ...listTransfersOfAddress(context),
    listTransfersOfContract(context),
    getTransaction(context),
    getDeployment(context),
    getNativeBalance(context),
    listErc20Balances(context),
    listErc721Balances(context),
    listErc1155Balances(context),
    listCollectibleBalances(context),
    listTokens(context),
    getToken(context),
    reindexToken(context),
    listTransfersOfToken(context),
    listTokenHolders(context),
    listCollectionHolders(context),
    listChains(context),
    getChain(context),
    ...listAddressChains(context),
    ...listBlocksOfAllChains(context),
    ...listTransactionsOfAllChains(context),
  ]
}
