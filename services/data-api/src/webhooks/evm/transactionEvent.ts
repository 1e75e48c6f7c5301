import { Hex } from '@firn/codec'
import type { EvmBlockContents, EvmChain, EvmTransfers } from '@firn/evm-store'
import { addressText, ZERO_ADDRESS } from '../../evm/chain/addressText.ts'
import { textOf } from '../../evm/chain/Text.ts'
import type { Contracts } from '../../evm/shapes/RichAddress.ts'

/** The parts of a message about a transaction, from which the message of each webhook is made. */
export interface TransactionEvent {
  readonly transaction: Readonly<Record<string, unknown>>
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Absent if no node has returned the traces of the block yet. */
  readonly internalTransactions?: readonly Readonly<Record<string, unknown>>[] | undefined
}

/**
 * Returns the parts of the message about a transaction, named as in the official client. Values that no block contains
 * after Byzantium, such as the state root of a receipt, are empty.
 */
export function transactionEvent(
  chain: EvmChain,
  block: EvmBlockContents.BlockContents,
  transaction: EvmBlockContents.BlockTransaction,
  contracts: Contracts,
): TransactionEvent {
  const { index } = transaction
  const hash = Hex.encode(transaction.hash)
  const gasBefore = block.transactions
    .filter((one) => one.index < index)
    .reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  const transfers = block.transfers.filter(({ transactionIndex }) => transactionIndex === index)
  const ofStandard = (standard: number) =>
    transfers.filter((one) => one.standard === standard).map((one) => transferOf(one, hash, block, contracts))
  return {
    transaction: {
      blockHash: Hex.encode(block.hash),
      blockNumber: String(block.height),
      from: addressText(transaction.sender),
      gas: String(transaction.gasLimit),
      gasPrice: String(transaction.gasPrice),
      maxFeePerGas: String(transaction.maxFeePerGas ?? 0n),
      maxPriorityFeePerGas: String(transaction.maxPriorityFeePerGas ?? 0n),
      txHash: hash,
      txStatus: transaction.succeeded ? '1' : '0',
      input: Hex.encode(transaction.input),
      nonce: String(transaction.nonce),
      to: addressText(transaction.recipient ?? ZERO_ADDRESS),
      transactionIndex: index,
      value: String(transaction.value),
      type: transaction.type,
      chainId: String(chain.chainId),
      receiptCumulativeGasUsed: String(gasBefore + transaction.gasUsed),
      receiptGasUsed: String(transaction.gasUsed),
      receiptEffectiveGasPrice: String(transaction.gasPrice),
      receiptRoot: '0x',
      blockTimestamp: Number(block.time),
      ...(transaction.created === null ? {} : { contractAddress: addressText(transaction.created) }),
      erc20Transfers: ofStandard(20),
      erc721Transfers: ofStandard(721),
      erc1155Transfers: ofStandard(1155),
      networkToken: networkToken(chain, transaction.value),
    },
    logs: block.logs.filter(({ transactionIndex }) => transactionIndex === index).map(logOf),
    internalTransactions: block.calls
      ?.filter(({ transactionIndex }) => transactionIndex === index)
      .map((call) => ({
        from: addressText(call.sender),
        to: addressText(call.recipient ?? ZERO_ADDRESS),
        internalTxType: call.type,
        value: String(call.value),
        gasUsed: String(call.gasUsed),
        gasLimit: String(call.gas),
        transactionHash: hash,
      })),
  }
}

function networkToken({ token }: EvmChain, value: bigint) {
  return {
    tokenName: token.name,
    tokenSymbol: token.symbol,
    tokenDecimals: token.decimals,
    valueWithDecimals: withDecimals(value, token.decimals),
  }
}

const NAMES: ReadonlyMap<number, readonly [type: string, member: string]> = new Map([
  [20, ['ERC20', 'erc20Token']],
  [721, ['ERC721', 'erc721Token']],
  [1155, ['ERC1155', 'erc1155Token']],
])

function transferOf(
  transfer: EvmTransfers.Transfer,
  transactionHash: string,
  { time }: EvmBlockContents.BlockContents,
  contracts: Contracts,
) {
  const [type, member] = NAMES.get(transfer.standard) ?? ['ERC20', 'erc20Token']
  const [contract, about] = [contracts.get(transfer.contract), contracts.about(transfer.contract)]
  const decimals = transfer.standard === 20 ? (contract?.decimals ?? 0) : 0
  return {
    transactionHash,
    type,
    from: addressText(transfer.sender),
    to: addressText(transfer.recipient),
    value: String(transfer.amount),
    ...(transfer.tokenId === null ? {} : { tokenId: String(transfer.tokenId) }),
    blockTimestamp: Number(time),
    logIndex: Number(transfer.logIndex),
    [member]: {
      address: addressText(transfer.contract),
      name: about?.name ?? textOf(contract?.name) ?? '',
      symbol: about?.symbol ?? textOf(contract?.symbol) ?? '',
      decimals,
      valueWithDecimals: withDecimals(transfer.amount, decimals),
    },
  }
}

function logOf({ address, topics, data, transactionIndex, logIndex }: EvmBlockContents.BlockLog) {
  const [topic0, topic1, topic2, topic3] = topics.map((topic) => Hex.encode(topic))
  return {
    address: addressText(address),
    topic0: topic0 ?? '',
    ...(topic1 === undefined ? {} : { topic1 }),
    ...(topic2 === undefined ? {} : { topic2 }),
    ...(topic3 === undefined ? {} : { topic3 }),
    data: Hex.encode(data),
    transactionIndex,
    logIndex: Number(logIndex),
    removed: false,
  }
}

/** Formats an amount with its decimals, exactly and without trailing zeros. */
export function withDecimals(amount: bigint, decimals: number): string {
  const [sign, digits] = amount < 0n ? ['-', String(-amount)] : ['', String(amount)]
  const padded = digits.padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals)
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`)
}
