import type { TransactionEvent } from './transactionEvent.ts'

const ADDRESS = '0x0000000000000000000000000000000000000000'
const HASH = `0x${'00'.repeat(32)}`

const EVENT: TransactionEvent = {
  transaction: {
    blockHash: HASH,
    blockNumber: '0',
    from: ADDRESS,
    gas: '21000',
    gasPrice: '0',
    maxFeePerGas: '0',
    maxPriorityFeePerGas: '0',
    txHash: HASH,
    txStatus: '1',
    input: '0x',
    nonce: '0',
    to: ADDRESS,
    transactionIndex: 0,
    value: '0',
    type: 2,
    chainId: '0',
    receiptCumulativeGasUsed: '21000',
    receiptGasUsed: '21000',
    receiptEffectiveGasPrice: '0',
    receiptRoot: '0x',
    blockTimestamp: 0,
    erc20Transfers: [],
    erc721Transfers: [],
    erc1155Transfers: [],
  },
  logs: [],
  internalTransactions: [],
}

/** The event of test messages: a transaction of block 0 of chain 0, with empty hashes. */
export const TEST_EVENT: string = JSON.stringify(EVENT)
