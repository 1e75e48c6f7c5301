import {
  checksummed,
  decimal,
  type PlainCall,
  type PlainChain,
  type PlainTransaction,
  type PlainTransfer,
} from './plainEvm.ts'

/** Facts about a contract that the recordings do not contain. */
export interface PlainFacts {
  readonly kind: 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN'
  readonly name?: Uint8Array
  readonly symbol?: Uint8Array
  readonly decimals?: number
}

/** Metadata found at a token's URI. */
export interface PlainMetadata {
  readonly uri: string
  readonly checkedAt: number
  readonly indexStatus: string
  readonly metadata: object
}

/** Additional data about a recorded chain that its recording does not contain. */
export interface PlainContext {
  readonly chainId: string
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly hasTraces: boolean
  /** Returns a contract's facts by lower-case address, or undefined for other accounts. */
  readonly facts: (address: string) => PlainFacts | undefined
  readonly metadata: (contract: string, tokenId: bigint) => PlainMetadata | undefined
  readonly native: (address: string, height: number) => bigint
}

const ZERO = '0x0000000000000000000000000000000000000000'

/** A contract creation. For tests only. */
export interface Creation {
  readonly of: PlainTransaction
  readonly contract: string
  /** Contract that created this contract; undefined if a transaction created it directly. */
  readonly creator: string | undefined
}

/** Returns the successful contract creations. Without traces, only creations at the top level are known. For tests only. */
export function creationsOf({ transactions, calls }: PlainChain): Creation[] {
  return transactions.flatMap((of) => {
    if (of.trace === undefined) {
      const { status, contractAddress: contract } = of.receipt
      return status === '0x1' && contract ? [{ of, contract, creator: undefined }] : []
    }
    const own = calls.filter((call) => call.of === of && /^CREATE/.test(call.frame.type) && !call.isReverted)
    return own.map(({ frame, position }) => ({
      of,
      contract: frame.to,
      creator: position === 0 ? undefined : frame.from,
    }))
  })
}

/** Returns the functions that make the elements of answers about a recorded chain. For tests only. */
export function shapesOf(chain: PlainChain, { chainId, facts, metadata }: PlainContext) {
  const contracts = new Set([
    ...chain.transfers.map(({ contract }) => contract),
    ...creationsOf(chain).map(({ contract }) => contract),
  ])
  const known = (address: string) => (contracts.has(address) ? facts(address) : undefined)
  const text = (bytes: Uint8Array | undefined) =>
    bytes && Buffer.from(bytes).toString('utf8').replaceAll('\0', '')
  const rich = (address: string | null | undefined) => ({
    address: checksummed(address ?? ZERO),
    name: text(known(address ?? '')?.name),
    symbol: text(known(address ?? '')?.symbol),
    decimals: known(address ?? '')?.decimals,
  })

  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  const when = (block: any) => ({
    blockNumber: decimal(block.number),
    blockTimestamp: Number(block.timestamp),
    blockTimestampMilliseconds: block.timestampMilliseconds && Number(block.timestampMilliseconds),
    blockHash: block.hash,
  })
  const settledHeights = chain.blocks.flatMap(({ block }) =>
    block.settledHeight === undefined ? [] : [Number(block.settledHeight)],
  )
  const finality = (height: number) => {
    if (settledHeights.length === 0) return undefined
    return settledHeights.some((settled) => settled >= height) ? 'settled' : 'executed'
  }
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  const block = (one: any) => {
    const height = Number(one.number)
    const until = chain.transactions.filter((other) => other.height <= height)
    const own = until.filter((other) => other.height === height)
    const fees = own.map(({ receipt }) => BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice))
    return {
      chainId,
      ...when(one),
      blockMinDelayExcess: one.minDelayExcess && Number(one.minDelayExcess),
      txCount: own.length,
      baseFee: decimal(one.baseFeePerGas),
      gasUsed: decimal(one.gasUsed),
      gasLimit: decimal(one.gasLimit),
      gasCost: decimal(one.blockGasCost),
      parentHash: one.parentHash,
      feesSpent: String(fees.reduce((sum, fee) => sum + fee, 0n)),
      cumulativeTransactions: String(until.length),
      finality: finality(height),
    }
  }
  const transaction = ({ block: of, index, transaction: tx, receipt }: PlainTransaction) => ({
    ...when(of),
    blockMinDelayExcess: of.minDelayExcess && Number(of.minDelayExcess),
    chainId,
    blockIndex: index,
    txHash: tx.hash,
    txStatus: decimal(receipt.status),
    txType: Number(tx.type),
    gasLimit: decimal(tx.gas),
    gasUsed: decimal(receipt.gasUsed),
    gasPrice: decimal(receipt.effectiveGasPrice),
    nonce: decimal(tx.nonce),
    from: rich(tx.from),
    to: rich(tx.to),
    method: methodOf(tx.to, tx.input),
    value: decimal(tx.value),
    finality: finality(Number(of.number)),
  })

  const ownerAt = (contract: string, tokenId: bigint) =>
    chain.transfers.findLast(
      (one) => one.standard === 721 && one.contract === contract && one.tokenId === tokenId,
    )?.to
  const token = (contract: string, tokenId: bigint) => {
    const found = metadata(contract, tokenId)
    const owner = ownerAt(contract, tokenId)
    const common = {
      address: checksummed(contract),
      tokenId: String(tokenId),
      tokenUri: found?.uri ?? '',
      metadata: {
        indexStatus: found?.indexStatus ?? 'UNINDEXED',
        metadataLastUpdatedTimestamp: found?.checkedAt,
        ...found?.metadata,
      },
    }
    if (owner === undefined) return { ...common, ercType: 'ERC-1155' }
    const { name = '', symbol = '' } = rich(contract)
    return { ...common, name, symbol, ercType: 'ERC-721', ownerAddress: checksummed(owner) }
  }
  const erc20 = (contract: string) => {
    const { name = '', symbol = '', decimals = 0 } = rich(contract)
    return { address: checksummed(contract), name, symbol, decimals, ercType: 'ERC-20' }
  }
  const transferPart = (one: PlainTransfer) => ({
    from: rich(one.from),
    to: rich(one.to),
    logIndex: one.logIndex,
    ...(one.standard === 721 ? {} : { value: String(one.amount) }),
    [`erc${one.standard}Token`]: one.standard === 20 ? erc20(one.contract) : token(one.contract, one.tokenId),
  })
  const callPart = ({ frame, isReverted }: PlainCall) => ({
    from: rich(frame.from),
    to: rich(frame.to),
    // The API has no type for SELFDESTRUCT.
    internalTxType: frame.type === 'SELFDESTRUCT' ? 'UNKNOWN' : frame.type,
    value: decimal(frame.value),
    isReverted,
    gasUsed: decimal(frame.gasUsed),
    gasLimit: decimal(frame.gas),
  })
  const inTransaction = (of: PlainTransaction) => ({ ...when(of.block), txHash: of.transaction.hash })

  const contract = (address: string) => {
    const { kind = 'UNKNOWN', decimals } = known(address) ?? {}
    const { name, symbol } = rich(address)
    return {
      address: checksummed(address),
      ercType: kind,
      name,
      symbol,
      decimals: kind === 'ERC-20' ? (decimals ?? 0) : decimals,
      spamReasons: [],
    }
  }
  const deployment = ({ of, contract: address, creator }: Creation) => ({
    ...contract(address),
    deploymentDetails: {
      txHash: of.transaction.hash,
      deployerAddress: checksummed(of.transaction.from),
      deployerContractAddress: creator && checksummed(creator),
    },
  })

  const tokensOf = (address: string) =>
    [
      ...new Set(
        chain.transfers
          .filter((one) => one.contract === address && one.standard !== 20)
          .map(({ tokenId }) => tokenId),
      ),
    ].sort((a, b) => (a < b ? -1 : 1))
  const all = (standard: number) =>
    [...contracts]
      .sort()
      .flatMap((address) =>
        standard === 20
          ? [{ contract: address, tokenId: 0n }]
          : tokensOf(address).map((tokenId) => ({ contract: address, tokenId })),
      )
  const held = (standard: number, address: string, height: number) =>
    all(standard).flatMap((key) => {
      const moved = chain.transfers.filter(
        (one) =>
          one.standard === standard &&
          one.contract === key.contract &&
          one.tokenId === key.tokenId &&
          one.of.height <= height,
      )
      const sum = (side: 'from' | 'to') =>
        moved.filter((one) => one[side] === address).reduce((total, { amount }) => total + amount, 0n)
      const balance = sum('to') - sum('from')
      return balance > 0n && address !== ZERO ? [{ ...key, balance }] : []
    })
  const owned = (address: string) =>
    all(721).filter(({ contract, tokenId }) => ownerAt(contract, tokenId) === address)

  return {
    contracts,
    block,
    transaction,
    token,
    tokensOf,
    erc20,
    transferPart,
    transfer: (one: PlainTransfer) => ({ ...inTransaction(one.of), ...transferPart(one) }),
    callPart,
    call: (one: PlainCall) => ({ ...inTransaction(one.of), ...callPart(one) }),
    contract,
    deployment,
    held,
    owned,
  }
}

/** Method names of the functions that the recordings call, by selector. */
const NAMES: Readonly<Record<string, string>> = {
  '0xa9059cbb': 'transfer(address,uint256)',
  '0x23b872dd': 'transferFrom(address,address,uint256)',
  '0x095ea7b3': 'approve(address,uint256)',
  '0x42842e0e': 'safeTransferFrom(address,address,uint256)',
  '0xf242432a': 'safeTransferFrom(address,address,uint256,uint256,bytes)',
  '0x2eb2c2d6': 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  '0xa22cb465': 'setApprovalForAll(address,bool)',
  '0x40c10f19': 'mint(address,uint256)',
  '0x42966c68': 'burn(uint256)',
}

function methodOf(to: string | null, input: string) {
  if (!to) return { callType: 'CONTRACT_CREATION', methodHash: '', methodName: 'Contract Created' }
  if (input === '0x') return { callType: 'NATIVE_TRANSFER', methodHash: '', methodName: 'Native Transfer' }
  const methodHash = input.slice(0, 10)
  return { callType: 'CONTRACT_CALL', methodHash, methodName: NAMES[methodHash] }
}
