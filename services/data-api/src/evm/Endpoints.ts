import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { getNativeBalance } from './balances/getNativeBalance.ts'
import { listCollectibleBalances } from './balances/listCollectibleBalances.ts'
import { listErc20Balances } from './balances/listErc20Balances.ts'
import { listErc721Balances } from './balances/listErc721Balances.ts'
import { listErc1155Balances } from './balances/listErc1155Balances.ts'
import type { EvmContext } from './chain/EvmContext.ts'
import { listAddressChains } from './listAddressChains.ts'
import { getChain, listChains } from './listChains.ts'
import { getContract } from './tokens/getContract.ts'
import { getToken, reindexToken } from './tokens/getToken.ts'
import { listDeployments } from './tokens/listDeployments.ts'
import { listCollectionHolders, listTokenHolders } from './tokens/listNftHolders.ts'
import { listTokens } from './tokens/listTokens.ts'
import { getBlock } from './transactions/getBlock.ts'
import { getDeployment, getTransaction } from './transactions/getTransaction.ts'
import { listBlocks } from './transactions/listBlocks.ts'
import { listBlockTransactions } from './transactions/listBlockTransactions.ts'
import { listEvents } from './transactions/listEvents.ts'
import { listInternalTransactions } from './transactions/listInternalTransactions.ts'
import { listLogs } from './transactions/listLogs.ts'
import { listNativeTransactions } from './transactions/listNativeTransactions.ts'
import { listBlocksOfAllChains, listTransactionsOfAllChains } from './transactions/listOfAllChains.ts'
import { listTransactionDetails } from './transactions/listTransactionDetails.ts'
import { listTransactions } from './transactions/listTransactions.ts'
import {
  listTransfersOfAddress,
  listTransfersOfContract,
  listTransfersOfToken,
} from './transactions/listTransfers.ts'

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
