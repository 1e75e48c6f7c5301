import { Hex } from '@firn/codec'
import { type Answer, get, type Question } from './DataApiLists.ts'
import { CHAIN, regularsOf } from './EvmFilling.ts'

const OF = `/v1/chains/${CHAIN.chainId}`
const METRICS = `/v2/chains/${CHAIN.chainId}`
const PAGES = 100

/** Returns every request for an EVM chain with the given number of rows, each with its title. */
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
    ['a block by its number', `${OF}/blocks/${block?.['blockNumber']}`],
    ['a block by its hash', `${OF}/blocks/${block?.['blockHash']}`],
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
    [`all transactions of ${matches}`, `${own}/transactions`],
    ['the same, ascending', `${own}/transactions?sortOrder=asc`],
    ['the same, a hundred', `${own}/transactions?pageSize=100`],
    ['the same, in a block range', `${own}/transactions?startBlock=10&endBlock=1000`],
    ...lists.map((list): Question => [`${list} of ${matches}`, `${own}/transactions:list${list}`]),
    ...['Erc20', 'Erc721', 'Erc1155', 'Collectibles'].map(
      (of): Question => [`${of} held by ${matches}`, `${own}/balances:list${of}`],
    ),
    ['ERC-20 at a block', `${own}/balances:listErc20?blockNumber=50`],
    [`deployments of ${matches}`, `${OF}/contracts/${address}/deployments`],
    [`chains of ${matches}`, `/v1/address/${address}/chains`],
    [`native balance of ${matches}, from a node`, `${own}/balances:getNative`],
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
    ['transfers of the busiest token', `${OF}/tokens/${fungible}/transfers`],
    ['the same, in a block range', `${OF}/tokens/${fungible}/transfers?startBlock=10&endBlock=1000`],
    ['balances of that token alone', `${OF}${balances}`],
    ['transfers of a collection', `${OF}/tokens/${nft.address}/transfers`],
    ['tokens of a collection', `${OF}/nfts/collections/${nft.address}/tokens`],
    ['one token of it', `${OF}/nfts/collections/${nft.address}/tokens/${nft.tokenId}`],
    ['a contract', `${OF}/addresses/${created?.['address']}`],
    ['its deployment', `${OF}/contracts/${created?.['address']}/transactions:getDeployment`],
    ['holders of the busiest token', `${holders}&threshold=0`],
    ['holders above a threshold', `${holders}&threshold=${20n * 10n ** 18n}`],
  ]
}

function ofMetrics(): readonly Question[] {
  const metric = (name: string, query: string) => `${METRICS}/metrics/${name}?pageSize=10&${query}`
  const window = (name: string) => `${METRICS}/rollingWindowMetrics/${name}`
  return [
    ['chains of metrics', '/v2/chains'],
    ['one of them', METRICS],
    ['transactions per hour', metric('txCount', 'timeInterval=hour')],
    ['the same, 2,160 hours', `${METRICS}/metrics/txCount?pageSize=2160&timeInterval=hour`],
    ['transactions per day', metric('txCount', 'timeInterval=day')],
    ['addresses per hour', metric('activeAddresses', 'timeInterval=hour')],
    ['cumulative transactions', metric('cumulativeTxCount', 'timeInterval=day')],
    ['maximum gas per second', metric('maxGps', 'timeInterval=day')],
    ['all chains together', '/v2/chains/total/metrics/txCount'],
    ['transactions per second', `/v1/avg_tps/${CHAIN.chainId}`],
    ['rolling windows of transactions', window('txCount')],
    ['rolling windows of gas prices', window('avgGasPrice')],
    ['rolling windows of addresses', window('activeAddresses')],
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
 * Returns the first page of a list, and its hundredth, or the last one if there are fewer but more than one.
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
