import {
  type Body,
  type Check,
  type Checks,
  closest,
  objectsIn,
  pick,
  type Reader,
  type Same,
  sampled,
  unique,
} from './Checks.ts'

/** An EVM chain whose answers are compared. */
export interface Chain extends Reader {
  readonly chainId: string
  /** Maximum number of compared addresses. */
  readonly most: number
}

/** Number of addresses of a chain that are all compared. */
const FEW = 12

/** Returns an answer about a chain. */
export function at(chain: Chain, path: string): Promise<Body> {
  return chain.one(`/v1/chains/${chain.chainId}${path}`)
}

/** Returns the elements of a list of a chain. */
export function list(chain: Chain, path: string, member: string): Promise<readonly Body[]> {
  return chain.all(`/v1/chains/${chain.chainId}${path}`, member)
}

/** Returns the blocks of a chain. */
export const blocks = (chain: Chain) => list(chain, '/blocks', 'blocks')
/** Returns the transactions of a chain as lists show them. */
export const transactions = (chain: Chain) => list(chain, '/transactions', 'transactions')
/** Returns a transaction with all its parts. */
export const transaction = (chain: Chain, hash: string) => at(chain, `/transactions/${hash}`)

/** Returns the transactions of a chain with all their parts. */
export async function details(chain: Chain): Promise<readonly Body[]> {
  return Promise.all((await transactions(chain)).map(({ txHash }) => transaction(chain, txHash)))
}

/** Returns the addresses that the transactions of a chain name. */
export async function addresses(chain: Chain): Promise<readonly string[]> {
  const found = objectsIn(await details(chain)).flatMap(({ address }) =>
    typeof address === 'string' ? [address] : [],
  )
  return sampled(unique(found), FEW).slice(0, chain.most)
}

/** Returns the contracts of a chain, by address. */
export async function contracts(chain: Chain): Promise<ReadonlyMap<string, Body>> {
  const found = new Map<string, Body>()
  for (const address of await addresses(chain)) {
    const contract = await at(chain, `/addresses/${address}`)
    if (contract !== undefined) found.set(address, contract)
  }
  return found
}

/** Stands for the recipient of a creation, which is no transaction of this address. */
const NOBODY = `0x${'0'.repeat(40)}`

/** Members of transactions that contain their parts. */
const PARTS = ['erc20Transfers', 'erc721Transfers', 'erc1155Transfers', 'internalTransactions'] as const
type Part = (typeof PARTS)[number]

/** Compares the parts of transactions in a list of an address with the parts of the transactions that name the address. */
const partsOfAddress =
  (path: string, part: Part): Check<Chain> =>
  async (chain, same) => {
    const all = (await details(chain)).map((tx) => ({
      txHash: tx.nativeTransaction.txHash,
      parts: tx[part] ?? [],
    }))
    for (const address of await addresses(chain)) {
      const found = await list(chain, `/addresses/${address}/transactions:${path}`, 'transactions')
      for (const one of found)
        same(one.txHash, one, closest(one, (await transaction(chain, one.txHash))?.[part] ?? []))
      const names = ({ from, to }: Body) => from.address === address || to.address === address
      const expected = all.flatMap(({ txHash, parts }) => parts.filter(names).map(() => txHash))
      if (address !== NOBODY || part !== 'internalTransactions')
        same.whole(address, hashes(found), expected.toSorted())
    }
  }

/** Members that tell the place of a log. */
const PLACE = ['blockNumber', 'blockHash', 'blockTimestamp', 'txIndex'] as const

/** Returns the hashes of transactions, sorted. */
export const hashes = (found: readonly Body[]) => found.map(({ txHash }) => txHash).toSorted()

/** Comparisons of an EVM chain. */
export const EVM_CHECKS: Checks<Chain> = {
  getLatestBlocks: async (chain, same) => {
    for (const block of sampled(await blocks(chain))) {
      same(block.blockNumber, block, await at(chain, `/blocks/${block.blockNumber}`))
      same(block.blockHash, block, await at(chain, `/blocks/${block.blockHash}`))
    }
  },
  listLatestBlocksAllChains: (chain, same) => ofAllChains(chain, ['/v1/blocks', 'blocks'], blocks, same),
  listAllLatestBlocks: (chain, same) => ofAllChains(chain, ['/v1/chains/allBlocks', 'blocks'], blocks, same),
  listLatestTransactions: async (chain, same) => {
    for (const tx of await transactions(chain))
      same(tx.txHash, tx, (await transaction(chain, tx.txHash))?.nativeTransaction)
  },
  listLatestTransactionsAllChains: (chain, same) =>
    ofAllChains(chain, ['/v1/transactions', 'transactions'], transactions, same),
  listAllLatestTransactions: (chain, same) =>
    ofAllChains(chain, ['/v1/chains/allTransactions', 'transactions'], transactions, same),
  getTransactionsForBlock: async (chain, same) => {
    for (const { blockNumber, txCount } of sampled(await blocks(chain))) {
      if (txCount === 0) continue
      const found = await list(chain, `/blocks/${blockNumber}/transactions`, 'transactions')
      same.whole(blockNumber, found.length, txCount)
      for (const tx of found) same(tx.txHash, tx, (await transaction(chain, tx.txHash))?.nativeTransaction)
    }
  },
  listTransactions: async (chain, same) => {
    for (const address of await addresses(chain))
      for (const { nativeTransaction: tx, ...parts } of await list(
        chain,
        `/addresses/${address}/transactions`,
        'transactions',
      )) {
        const whole = await transaction(chain, tx.txHash)
        same(tx.txHash, tx, whole?.nativeTransaction)
        for (const [name, items] of Object.entries<Body[]>(parts)) {
          for (const item of items) same(`${tx.txHash} ${name}`, item, closest(item, whole?.[name] ?? []))
          if (name === 'logs' || address === NOBODY) continue
          const own = (whole?.[name] ?? []).filter(
            ({ from, to }: Body) => from.address === address || to.address === address,
          )
          same(`${tx.txHash} ${name} ${address}`, items.length, own.length)
        }
      }
  },
  listNativeTransactions: async (chain, same) => {
    const all = await transactions(chain)
    for (const address of await addresses(chain)) {
      const found = await list(chain, `/addresses/${address}/transactions:listNative`, 'transactions')
      const expected = all.filter(({ from, to }) => from.address === address || to.address === address)
      if (address !== NOBODY) same.whole(address, found, expected)
    }
  },
  listErc20Transactions: partsOfAddress('listErc20', 'erc20Transfers'),
  listErc721Transactions: partsOfAddress('listErc721', 'erc721Transfers'),
  listErc1155Transactions: partsOfAddress('listErc1155', 'erc1155Transfers'),
  listInternalTransactions: partsOfAddress('listInternals', 'internalTransactions'),
  listLogs: async (chain, same) => {
    const logs = await list(chain, '/logs?decode=true', 'logs')
    const some = [...sampled(await transactions(chain)), ...logs.slice(0, FEW)]
    for (const txHash of unique(some.map((one) => one.txHash))) {
      const tx = await at(chain, `/transactions/${txHash}?decode=true`)
      const own = logs.filter((log) => log.txHash === txHash).toReversed()
      for (const log of own) same(txHash, pick(log, ...PLACE), tx?.nativeTransaction)
      for (const log of own)
        same(
          txHash,
          log,
          tx?.logs.find(({ logIndex }: Body) => logIndex === log.logIndex),
        )
      same.whole(txHash, own.length, tx?.logs.length)
    }
    for (const address of (await contracts(chain)).keys()) {
      const emitted = logs.filter((log) => log.address === address)
      same.whole(address, await list(chain, `/logs?decode=true&addresses=${address}`, 'logs'), emitted)
    }
  },
  listContractDeployments: async (chain, same) => {
    for (const deployer of await addresses(chain))
      for (const contract of await list(chain, `/contracts/${deployer}/deployments`, 'contracts')) {
        same(contract.address, contract, await at(chain, `/addresses/${contract.address}`))
        const made = await at(chain, `/contracts/${contract.address}/transactions:getDeployment`)
        same(contract.address, pick(contract.deploymentDetails, 'txHash'), made?.nativeTransaction)
      }
  },
  supportedChains: async (chain, same) => {
    const { chains } = await chain.one('/v1/chains')
    for (const one of chains) {
      same(one.chainId, one, await chain.one(`/v1/chains/${one.chainId}`))
      const metrics = await chain.one(`/v2/chains/${one.chainId}`)
      const { chainName, platformChainId, subnetId } = one
      if (metrics !== undefined)
        same(
          one.chainId,
          { chainName, blockchainId: platformChainId ?? '', subnetId: subnetId ?? '' },
          metrics,
        )
    }
  },
  listAddressChains: compareAddressChains,
  getAddressChains: async (chain, same) => {
    for (const address of await addresses(chain)) {
      const current = await chain.one(`/v1/address/${address}/chains`)
      same(address, await chain.one(`/v1/chains/address/${address}`), current)
    }
  },
  getContractMetadata: compareContracts,
}

/** Compares the elements of a list of all chains that belong to the chain with its own list. */
async function ofAllChains(
  chain: Chain,
  [path, member]: readonly [string, string],
  own: (chain: Chain) => Promise<readonly Body[]>,
  same: Same,
): Promise<void> {
  const all = (await chain.all(path, member)).filter(({ chainId }) => chainId === chain.chainId)
  same.whole('all', all, (await own(chain)).slice(0, all.length))
}

/** Compares the chains of each address with the transactions of the address. */
async function compareAddressChains(chain: Chain, same: Same): Promise<void> {
  for (const address of await addresses(chain)) {
    const { indexedChains } = await chain.one(`/v1/address/${address}/chains`)
    const listed = indexedChains.find(({ chainId }: Body) => chainId === chain.chainId)
    const found = await list(chain, `/addresses/${address}/transactions`, 'transactions')
    same(address, listed !== undefined, found.length > 0)
    if (listed !== undefined) same(address, listed, await chain.one(`/v1/chains/${chain.chainId}`))
  }
}

/** Compares what all answers say about contracts with the answers about the contracts. */
async function compareContracts(chain: Chain, same: Same): Promise<void> {
  const known = await contracts(chain)
  const said = new Map<string, { readonly path: string; readonly contract: Body }>()
  for (const [path, body] of chain.seen)
    for (const contract of contractsIn(body)) said.set(JSON.stringify(contract), { path, contract })
  for (const { path, contract } of said.values()) {
    const own = known.get(contract.address)
    if (own !== undefined) same(`${contract.address} in ${path}`, contract, own)
  }
}

/**
 * Returns what an answer says about contracts. Names of NFTs are their own, and empty names stand for none. In answers about
 * ERC-20 transfers and balances, `ercType` is the standard of the transfers.
 */
function contractsIn(body: Body): Body[] {
  return objectsIn(body).flatMap(({ address, name, symbol, decimals, ercType, tokenId }) => {
    if (typeof address !== 'string') return []
    const members = tokenId === undefined ? { name, symbol, decimals } : { ercType }
    const given = Object.entries({ address, ...members }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    return given.length > 1 ? [Object.fromEntries(given)] : []
  })
}
