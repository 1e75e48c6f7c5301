import type { Json } from '@firn/codec'
import { differences } from './differences.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
type Body = any

/** Returns the response to a GET request of the Data API. */
type Get = (path: string) => Promise<{ readonly status: number; readonly json: Body }>

/** What {@link compareEvm} compared. */
export interface Comparison {
  /** Descriptions of members that two answers have and whose values differ. */
  readonly faults: readonly string[]
  /** Number of comparisons by list. */
  readonly counts: Readonly<Record<string, number>>
}

const PAGE = 100

/**
 * Compares every element of every list of a chain with the answer about this element alone, and every contract and token
 * that is named anywhere with its own answer; up to `most` elements of each list and `most` addresses. For tests only.
 */
export async function compareEvm(
  get: Get,
  chainId: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Comparison> {
  const faults: string[] = []
  const counts: Record<string, number> = {}
  const chain = `/v1/chains/${chainId}`
  const own = new Map<string, Promise<Body>>()
  const named: { readonly in: string; readonly body: Body }[] = []
  const one = (path: string): Promise<Body> => {
    const known = own.get(path) ?? get(path).then(({ status, json }) => (status === 200 ? json : undefined))
    own.set(path, known)
    return known
  }
  const list = async (path: string, member: string, query = ''): Promise<Body[]> => {
    const found: Body[] = []
    for (let token = ''; ; ) {
      const { status, json } = await get(`${path}?pageSize=${PAGE}${query}&pageToken=${token}`)
      if (status !== 200) return found
      found.push(...json[member])
      named.push({ in: path, body: json })
      token = json.nextPageToken ?? ''
      if (token === '' || found.length >= most) return found.slice(0, most)
    }
  }
  const compare = (name: string, what: string, listed: Body, alone: Body) => {
    counts[name] = (counts[name] ?? 0) + 1
    const found = alone === undefined ? ['no answer about it alone'] : differences(listed, alone)
    for (const fault of found) faults.push(`${name} ${what}${fault}`)
  }

  const blocks = await list(`${chain}/blocks`, 'blocks')
  for (const block of blocks) {
    const { blockNumber, blockHash } = block
    compare('blocks', blockNumber, block, await one(`${chain}/blocks/${blockNumber}`))
    compare('blocks', blockHash, block, await one(`${chain}/blocks/${blockHash}`))
  }
  for (const block of await list('/v1/blocks', 'blocks'))
    if (block.chainId === chainId)
      compare('all blocks', block.blockNumber, block, await one(`${chain}/blocks/${block.blockNumber}`))

  const transactionOf = (hash: string) => one(`${chain}/transactions/${hash}`)
  const compareNative = async (name: string, listed: readonly Body[]) => {
    for (const tx of listed)
      if (tx.chainId === chainId)
        compare(name, tx.txHash, tx, (await transactionOf(tx.txHash))?.nativeTransaction)
  }
  const transactions = await list(`${chain}/transactions`, 'transactions')
  await compareNative('transactions', transactions)
  await compareNative('all transactions', await list('/v1/transactions', 'transactions'))
  for (const { blockNumber, txCount } of blocks)
    if (txCount > 0)
      await compareNative(
        'block transactions',
        await list(`${chain}/blocks/${blockNumber}/transactions`, 'transactions'),
      )

  const details = await Promise.all(transactions.map(({ txHash }) => transactionOf(txHash)))
  for (const body of details) named.push({ in: `transaction ${body?.nativeTransaction.txHash}`, body })
  const addresses = [...new Set(named.flatMap(({ body }) => addressesIn(body)))].slice(0, most)
  const contracts = new Map<string, Body>()
  for (const address of addresses) {
    const contract = await one(`${chain}/addresses/${address}`)
    if (contract !== undefined) contracts.set(address, contract)
  }

  for (const address of addresses) {
    const of = `${chain}/addresses/${address}`
    await compareNative('native', await list(`${of}/transactions:listNative`, 'transactions'))
    for (const { nativeTransaction: tx, ...parts } of await list(`${of}/transactions`, 'transactions')) {
      const whole = await transactionOf(tx.txHash)
      compare('details', tx.txHash, tx, whole?.nativeTransaction)
      for (const [name, items] of Object.entries<Body[]>(parts))
        for (const item of items)
          compare(`details ${name}`, tx.txHash, item, closest(item, whole?.[name] ?? []))
    }
    for (const [kind, name] of TRANSFERS) {
      for (const item of await list(`${of}/transactions:list${kind}`, 'transactions'))
        compare(kind, item.txHash, item, closest(item, (await transactionOf(item.txHash))?.[name] ?? []))
    }
    for (const [kind, name] of BALANCES)
      for (const token of await list(`${of}/balances:list${kind}`, name)) {
        if (token.tokenId === undefined) continue
        const { balance: _balance, chainId: _chainId, ownerAddress: _owner, ...rest } = token
        compare(kind, address, rest, await one(tokenPath(chain, token)))
      }
    for (const contract of await list(`${chain}/contracts/${address}/deployments`, 'contracts')) {
      compare('deployments', contract.address, contract, await one(`${chain}/addresses/${contract.address}`))
      const made = await one(`${chain}/contracts/${contract.address}/transactions:getDeployment`)
      const { txHash } = contract.deploymentDetails
      compare('deployments', contract.address, { txHash }, made?.nativeTransaction)
    }
  }
  for (const address of contracts.keys()) {
    for (const item of await list(`${chain}/tokens/${address}/transfers`, 'transfers')) {
      const {
        erc20Transfers = [],
        erc721Transfers = [],
        erc1155Transfers = [],
      } = (await transactionOf(item.txHash)) ?? {}
      const all = [...erc20Transfers, ...erc721Transfers, ...erc1155Transfers]
      compare('token transfers', item.txHash, item, closest(item, all))
    }
    for (const token of await list(`${chain}/nfts/collections/${address}/tokens`, 'tokens'))
      compare('collections', `${address} ${token.tokenId}`, token, await one(tokenPath(chain, token)))
  }
  const said = new Map<string, { readonly path: string; readonly contract: Body }>()
  for (const { in: path, body } of named)
    for (const contract of contractsIn(body)) said.set(JSON.stringify(contract), { path, contract })
  for (const { path, contract } of said.values()) {
    const alone = contracts.get(contract.address)
    if (alone !== undefined) compare('contracts', `${contract.address} in ${path}`, contract, alone)
  }
  const { chains = [] } = (await get('/v1/chains')).json
  for (const listed of chains)
    compare('chains', listed.chainId, listed, await one(`/v1/chains/${listed.chainId}`))
  return { faults: [...new Set(faults)], counts }
}

const TRANSFERS = [
  ['Erc20', 'erc20Transfers'],
  ['Erc721', 'erc721Transfers'],
  ['Erc1155', 'erc1155Transfers'],
  ['Internals', 'internalTransactions'],
] as const

const BALANCES = [
  ['Erc20', 'erc20TokenBalances'],
  ['Erc721', 'erc721TokenBalances'],
  ['Erc1155', 'erc1155TokenBalances'],
  ['Collectibles', 'collectibleBalances'],
] as const

function tokenPath(chain: string, { address, tokenId }: Body): string {
  return `${chain}/nfts/collections/${address}/tokens/${tokenId}`
}

/** Returns the element with the fewest differences. */
function closest(item: Body, among: readonly Body[]): Body {
  const ranked = among.map((one) => ({ one, count: differences(item as Json.Json, one as Json.Json).length }))
  return ranked.toSorted((a, b) => a.count - b.count)[0]?.one
}

/** Returns the addresses that an answer contains. */
function addressesIn(body: Body): string[] {
  return objectsIn(body).flatMap(({ address }) => (typeof address === 'string' ? [address] : []))
}

/**
 * Returns what an answer says about contracts. Names of NFTs are their own, and empty names stand for none. In answers about
 * ERC-20 transfers and balances, `ercType` is the standard of the transfers.
 */
function contractsIn(body: Body): Body[] {
  return objectsIn(body).flatMap(({ address, name, symbol, decimals, ercType, tokenId }) => {
    if (typeof address !== 'string') return []
    const members = tokenId === undefined ? { name, symbol, decimals } : { ercType }
    const known = Object.entries({ address, ...members }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    return known.length > 1 ? [Object.fromEntries(known)] : []
  })
}

function objectsIn(body: Body): Body[] {
  if (Array.isArray(body)) return body.flatMap(objectsIn)
  if (typeof body !== 'object' || body === null) return []
  return [body, ...Object.values(body).flatMap(objectsIn)]
}
