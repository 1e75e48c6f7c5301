import { type Body, type Check, type Checks, closest, pick, type Same, total } from './Checks.ts'
import { addresses, at, type Chain, contracts, details, hashes, list, transaction } from './evmChecks.ts'

/** Returns the NFTs of a chain. */
export async function tokens(chain: Chain): Promise<readonly Body[]> {
  const found: Body[] = []
  for (const address of (await contracts(chain)).keys())
    found.push(...(await list(chain, `/nfts/collections/${address}/tokens`, 'tokens')))
  return found
}

/** Returns the path of an NFT. */
export function tokenPath({ address, tokenId }: Body): string {
  return `/nfts/collections/${address}/tokens/${tokenId}`
}

/** Compares the tokens in a list of balances with the answers about them. */
const tokensOfAddress =
  (path: string, member: string): Check<Chain> =>
  async (chain, same) => {
    for (const address of await addresses(chain)) {
      const found = await list(chain, `/addresses/${address}/balances:${path}`, member)
      for (const { balance: _balance, chainId: _chainId, ownerAddress: _owner, ...token } of found)
        same(`${address} ${token.tokenId}`, token, await at(chain, tokenPath(token)))
    }
  }

/** Comparisons of tokens, their transfers, balances and holders. */
export const TOKEN_CHECKS: Checks<Chain> = {
  listErc721Balances: tokensOfAddress('listErc721', 'erc721TokenBalances'),
  listErc1155Balances: tokensOfAddress('listErc1155', 'erc1155TokenBalances'),
  listCollectibleBalances: tokensOfAddress('listCollectibles', 'collectibleBalances'),
  listErc20Balances: async (chain, same) => {
    for (const address of await addresses(chain))
      for (const token of await list(chain, `/addresses/${address}/balances:listErc20`, 'erc20TokenBalances'))
        same(address, pick(token, 'name', 'symbol'), await at(chain, `/addresses/${token.address}`))
  },
  listTransfers: async (chain, same) => {
    const all = await details(chain)
    for (const address of (await contracts(chain)).keys()) {
      const found = await list(chain, `/tokens/${address}/transfers`, 'transfers')
      for (const one of found)
        same(one.txHash, one, closest(one, transfersIn(await transaction(chain, one.txHash))))
      const expected = all.flatMap((tx) =>
        transfersIn(tx)
          .filter((one) => contractOf(one) === address)
          .map(() => tx.nativeTransaction.txHash),
      )
      same.whole(address, hashes(found), expected.toSorted())
    }
  },
  listTokens: async (chain, same) => {
    for (const token of await tokens(chain)) same(tokenPath(token), token, await at(chain, tokenPath(token)))
  },
  listNftTransfers: async (chain, same) => {
    for (const token of await tokens(chain)) {
      const found = await list(chain, `${tokenPath(token)}/transfers`, 'transfers')
      const all = await list(chain, `/tokens/${token.address}/transfers`, 'transfers')
      const isOf = ({ erc721Token, erc1155Token }: Body) =>
        (erc721Token ?? erc1155Token)?.tokenId === token.tokenId
      same.whole(tokenPath(token), found, all.filter(isOf))
    }
  },
  listNftHolders: compareHolders,
  listNftCollectionHolders: compareCollections,
}

const transfersIn = (tx: Body): Body[] =>
  ['erc20Transfers', 'erc721Transfers', 'erc1155Transfers'].flatMap((part) => tx?.[part] ?? [])
const contractOf = ({ erc20Token, erc721Token, erc1155Token }: Body) =>
  (erc20Token ?? erc721Token ?? erc1155Token).address

/** Compares the holders of each NFT with the balances of the holders. */
async function compareHolders(chain: Chain, same: Same): Promise<void> {
  for (const token of await tokens(chain))
    for (const { address, balance } of await list(chain, `${tokenPath(token)}/holders`, 'holders')) {
      const isNft = token.ercType === 'ERC-721'
      const path = `/addresses/${address}/balances:list${isNft ? 'Erc721' : 'Erc1155'}`
      const held = await list(chain, path, isNft ? 'erc721TokenBalances' : 'erc1155TokenBalances')
      const own = held.find((one) => one.address === token.address && one.tokenId === token.tokenId)
      same.whole(`${tokenPath(token)} ${address}`, { balance, tokenId: token.tokenId }, own)
    }
}

/** Compares the holders of each collection with the holders of its tokens, and with the holders in the metrics. */
async function compareCollections(chain: Chain, same: Same): Promise<void> {
  for (const [address, own] of Map.groupBy(await tokens(chain), (token) => token.address)) {
    const path = `/nfts/collections/${address}/holders`
    const holders = await list(chain, path, 'holders')
    const each = (
      await Promise.all(own.map((token) => list(chain, `${tokenPath(token)}/holders`, 'holders')))
    ).flat()
    const sums = Map.groupBy(each, (holder) => holder.address)
    const expected = [...sums].map(([holder, all]) => `${holder} ${total(all, ({ balance }) => balance)}`)
    same.whole(address, holders.map((one) => `${one.address} ${one.balance}`).toSorted(), expected.toSorted())
  }
}

/** Comparisons of the decoded events of the demo chain, which the indexer of the service decoded. */
export const EVENT_CHECKS: Checks<Chain> = {
  listEvents: async (chain, same) => {
    for (const { args, ...event } of await list(chain, '/events/Token.Transfer', 'events')) {
      const tx = await at(chain, `/transactions/${event.txHash}?decode=true`)
      const log = tx?.logs.find(({ logIndex }: Body) => logIndex === event.logIndex)
      same(event.txHash, event, log)
      const values = log?.decoded.parameters.map(({ value }: Body) => value)
      same(event.txHash, Object.values(args), values)
    }
  },
}
