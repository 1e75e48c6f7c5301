import { Hex } from '@firn/codec'
import { type Answer, get, type Question } from './DataApiLists.ts'
import { CHAIN, regularsOf } from './EvmFilling.ts'

const OF = `/v1/chains/${CHAIN.chainId}`
const METRICS = `/v2/chains/${CHAIN.chainId}`
const PAGES = 100

/** Returns all requests for an EVM chain with the given number of rows. */
export async function questions(url: string, rows: number): Promise<readonly Question[]> {
  const regulars = regularsOf(rows).map(({ address, matches }): readonly [string, string] => [
    matches.toLocaleString('en'),
    Hex.encode(address),
  ])
  const [, , [, busiest] = ['', '']] = regulars
  return [
    ...(await ofChain(url)),
    ...regulars.flatMap(([matches, address]) => ofAddress(matches, address)),
    ...(await ofTokens(url, busiest)),
    ...ofMetrics(),
  ]
}

async function ofChain(url: string): Promise<readonly Question[]> {
  const { blocks } = (await get(`${url}${OF}/blocks?pageSize=100`)) as Answers<'blocks'>
  const { transactions } = (await get(`${url}${OF}/transactions`)) as Answers<'transactions'>
  const block = blocks.at(-1)
  return [
    ['chains', '/v1/chains'],
    ['a chain', OF],
    ['blocks of all chains', '/v1/blocks'],
    ['transactions of all chains', '/v1/transactions'],
    ['failed transactions of all chains', '/v1/transactions?status=failed'],
    ['blocks', `${OF}/blocks`],
    ['a block by number', `${OF}/blocks/${block?.['blockNumber']}`],
    ['a block by hash', `${OF}/blocks/${block?.['blockHash']}`],
    ['transactions of a block', `${OF}/blocks/${block?.['blockNumber']}/transactions`],
    ['transactions', `${OF}/transactions`],
    ['a hundred transactions', `${OF}/transactions?pageSize=100`],
    ['failed transactions', `${OF}/transactions?status=failed`],
    ['successful transactions', `${OF}/transactions?status=success`],
    ['a transaction', `${OF}/transactions/${transactions[0]?.['txHash']}`],
    ['completeness', `/v1/completeness/${CHAIN.chainId}`],
  ]
}

function ofAddress(matches: string, address: string): readonly Question[] {
  const own = `${OF}/addresses/${address}`
  const lists = ['Native', 'Erc20', 'Erc721', 'Erc1155', 'Internals']
  return [
    [`all transactions of an address (${matches} in total)`, `${own}/transactions`],
    [`all transactions of an address (${matches} in total), ascending`, `${own}/transactions?sortOrder=asc`],
    [`100 transactions of an address (${matches} in total)`, `${own}/transactions?pageSize=100`],
    [
      `transactions in a block range, address with ${matches} transactions`,
      `${own}/transactions?startBlock=10&endBlock=1000`,
    ],
    ...lists.map(
      (list): Question => [
        `${list} transactions of an address (${matches} in total)`,
        `${own}/transactions:list${list}`,
      ],
    ),
    ...['Erc20', 'Erc721', 'Erc1155', 'Collectibles'].map(
      (of): Question => [
        `${of} balances of an address with ${matches} transactions`,
        `${own}/balances:list${of}`,
      ],
    ),
    [
      `ERC-20 balances at a block, address with ${matches} transactions`,
      `${own}/balances:listErc20?blockNumber=50`,
    ],
    [`deployments of an address with ${matches} transactions`, `${OF}/contracts/${address}/deployments`],
    [`chains of an address with ${matches} transactions`, `/v1/address/${address}/chains`],
    [`native balance of an address with ${matches} transactions, from a node`, `${own}/balances:getNative`],
  ]
}

async function ofTokens(url: string, busiest: string): Promise<readonly Question[]> {
  const list = async (path: string, member: string) =>
    (await get(`${url}${OF}${path}`))[member] as readonly Answer[]
  const transfers = await list(`/addresses/${busiest}/transactions:listErc20?pageSize=100`, 'transactions')
  const fungible = mostFrequent(transfers.map((one) => (one['erc20Token'] as Token).address))
  const balances = `/addresses/${busiest}/balances:listErc20?contractAddresses=${fungible}`
  const [unique] = (await list(
    `/addresses/${busiest}/transactions:listErc721`,
    'transactions',
  )) as readonly Answer[]
  const nft = unique?.['erc721Token'] as Token
  const [created] = await list(`/contracts/${busiest}/deployments`, 'contracts')
  const holders = `${METRICS}/contracts/${fungible}/balances?pageSize=10`
  return [
    ['transfers of the most active token', `${OF}/tokens/${fungible}/transfers`],
    [
      'transfers of the most active token in a block range',
      `${OF}/tokens/${fungible}/transfers?startBlock=10&endBlock=1000`,
    ],
    ['balances of the most active token only', `${OF}${balances}`],
    ['transfers of an NFT collection', `${OF}/tokens/${nft.address}/transfers`],
    ['tokens of an NFT collection', `${OF}/nfts/collections/${nft.address}/tokens`],
    ['a token of an NFT collection', `${OF}/nfts/collections/${nft.address}/tokens/${nft.tokenId}`],
    ['a contract', `${OF}/addresses/${created?.['address']}`],
    ['deployment of a contract', `${OF}/contracts/${created?.['address']}/transactions:getDeployment`],
    ['holders of the most active token', `${holders}&threshold=0`],
    ['holders above a threshold', `${holders}&threshold=${20n * 10n ** 18n}`],
  ]
}

function ofMetrics(): readonly Question[] {
  const metric = (name: string, query: string) => `${METRICS}/metrics/${name}?pageSize=10&${query}`
  const window = (name: string) => `${METRICS}/rollingWindowMetrics/${name}`
  return [
    ['chains with metrics', '/v2/chains'],
    ['a chain with metrics', METRICS],
    ['transactions per hour', metric('txCount', 'timeInterval=hour')],
    ['transactions per hour, 2,160 hours', `${METRICS}/metrics/txCount?pageSize=2160&timeInterval=hour`],
    ['transactions per day', metric('txCount', 'timeInterval=day')],
    ['active addresses per hour', metric('activeAddresses', 'timeInterval=hour')],
    ['cumulative transactions', metric('cumulativeTxCount', 'timeInterval=day')],
    ['maximum gas per second', metric('maxGps', 'timeInterval=day')],
    ['transactions of all chains together', '/v2/chains/total/metrics/txCount'],
    ['transactions per second', `/v1/avg_tps/${CHAIN.chainId}`],
    ['rolling windows of transactions', window('txCount')],
    ['rolling windows of gas prices', window('avgGasPrice')],
    ['rolling windows of active addresses', window('activeAddresses')],
    ['rolling windows of deployers', window('deployers')],
  ]
}

type Answers<Name extends string> = { readonly [N in Name]: readonly Answer[] }

interface Token {
  readonly address: string
  readonly tokenId?: string
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0]
}

/**
 * Returns the paths of the first and the hundredth page of a list. If the list is shorter, the second path leads to
 * the last page, or missing if there is only one page.
 */
export async function pagesOf(
  url: string,
  path: string,
): Promise<{ readonly first: string; readonly deep?: string }> {
  let deep = path
  for (let page = 1; page < PAGES; page++) {
    const { nextPageToken } = await get(url + deep)
    if (typeof nextPageToken !== 'string') break
    const next = new URL(path, url)
    next.searchParams.set('pageToken', nextPageToken)
    deep = next.pathname + next.search
  }
  return deep === path ? { first: path } : { first: path, deep }
}
