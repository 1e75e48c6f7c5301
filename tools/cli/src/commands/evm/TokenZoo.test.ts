import { startLocalEvm } from '@firn/demo-chain'
import { createZoo, readBalances, type ZooBalance, type ZooToken } from '@firn/demo-chain/zoo'
import { seeded } from '@firn/indexer'
import { until } from '@firn/runtime/testing'
import { TestPostgres } from '@firn/sql/testing'
import { describe, expect, it } from 'vitest'
import * as Run from '../../Run.ts'

const CHAIN_ID = 780
const GENESIS = 1_790_000_000
/** Heights at which balances are compared. The tokens are deployed and minted in the first 11 blocks. */
const HEIGHTS = [12n, 15n, 17n]
const TIP = 17n

/** A token balance in an answer of the Data API. */
interface Item {
  readonly address: string
  readonly balance: string
  readonly tokenId?: string
  readonly balanceSource: {
    readonly basis: string
    readonly blockNumber: string
    readonly isChecked: boolean
  }
}

/** A balance that `balanceOf` returned, and the answer of the Data API if it has one. */
interface Compared {
  readonly token: ZooToken
  readonly item: Item | undefined
  /** Balance at the height of the answer; undefined if `balanceOf` does not return one. */
  readonly truth: bigint | undefined
}

describe.skipIf(TestPostgres.missing() !== undefined)('Data API', { tags: ['postgres'] }, () => {
  it('returns what balanceOf returns at the heights of its answers, for tokens of every kind', async () => {
    const server = await TestPostgres.start()
    const signal = new AbortController().signal
    const evm = await startLocalEvm({ chainId: CHAIN_ID, genesisTime: GENESIS, hardfork: 'paris', signal })
    const zoo = await createZoo({ url: evm.url, random: seeded(3), time: GENESIS + 1 })
    for (let height = 12n; height <= TIP; height++) await zoo.block()
    // The balance of an ERC-721 token is a list of tokens, not an amount.
    const balances = zoo.balances.filter(
      ({ token }) => token.standard !== 721 && token.basis !== 'unreadable',
    )
    const accounts = new Set(balances.map(({ account }) => account))
    const truths = await Promise.all(
      Array.from({ length: Number(TIP) + 1 }, (_, height) => readBalances(evm.url, balances, BigInt(height))),
    )
    const stop = new AbortController()
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const argv = [
      'evm',
      '--chain',
      evm.url,
      '--database-url',
      server.url,
      '--port',
      '0',
      '--gateway-port',
      '0',
      '--no-rate-limits',
    ]
    const running = Run.run(argv, { print, note: print, isInteractive: false, signal: stop.signal })
    const urlOf = () => lines.find((line) => line.startsWith('Data API'))?.match(/http:\S+/)?.[0] ?? ''
    const compare = async (height: bigint): Promise<Compared[]> => {
      const url = urlOf()
      const items = new Map<string, Item>()
      for (const account of accounts) {
        for (const item of await listBalances(`${url}/v1/chains/${CHAIN_ID}/addresses/${account}`, height))
          items.set(keyOf(item.address, item.tokenId ?? 0n, account), item)
      }
      return balances.map(({ token, tokenId, account }, i) => {
        const item = items.get(keyOf(token.address, tokenId, account))
        return { token, item, truth: truths[Number(item?.balanceSource.blockNumber ?? height)]?.[i] }
      })
    }
    try {
      await expect.poll(() => lines.join()).toContain('Press Ctrl-C')
      // Until balances are checked, the node is asked for them.
      const restsOnChain = ({ token, item }: Compared) =>
        token.basis === 'logs' && item?.balanceSource.basis === 'chain'
      const collections = zoo.tokens.filter((one) => one.hasIdsAsValues)
      // Their contracts may be known to be ERC-721 before the values of their logs are known to be ids.
      const withoutHolders = async () => {
        const counts = await Promise.all(
          collections.map(async ({ address }) => {
            const answer = await fetch(`${urlOf()}/v1/chains/${CHAIN_ID}/nfts/collections/${address}/holders`)
            return ((await answer.json()) as { readonly holders?: readonly unknown[] }).holders?.length ?? 0
          }),
        )
        return collections.filter((_one, i) => counts[i] === 0)
      }
      await expect.poll(withoutHolders).toEqual([])
      const unchecked = async () => (await compare(TIP)).filter(restsOnChain)
      await expect.poll(unchecked, { interval: 500 }).toEqual([])
      for (const height of HEIGHTS) {
        const compared = await compare(height)
        expect(compared.filter(isWrong)).toEqual([])
        const knowable = compared.filter(isKnowable)
        expect(knowable.filter(isMissing).length).toBeLessThan(knowable.length / 100)
      }
      // Holders of a collection are stored after its blocks.
      await until(async () => {
        let listed = 0
        for (const height of HEIGHTS) listed += await compareNfts(urlOf(), evm.url, zoo.balances, height)
        expect(listed).toBeGreaterThan(60)
      })
    } finally {
      stop.abort()
      await running
      await evm.close()
      await server.close()
    }
  })
})

/**
 * Compares the holders of NFTs with `balanceOf` after a block. If the logs of a contract do not add up, holders may be
 * missing, but those that are listed are compared. Returns the number of listed holders.
 */
async function compareNfts(
  url: string,
  node: string,
  balances: readonly ZooBalance[],
  height: bigint,
): Promise<number> {
  const nfts = balances.filter(({ token }) => token.standard !== 20)
  const truths = await readBalances(node, nfts, height)
  const lists = Map.groupBy(
    nfts.map((one, i) => ({ ...one, truth: truths[i] ?? 0n })),
    ({ token, tokenId }) => `${token.address}${token.standard === 721 ? '' : `/tokens/${tokenId}`}`,
  )
  let listed = 0
  for (const [path, own] of lists) {
    const answer = await fetch(
      `${url}/v1/chains/${CHAIN_ID}/nfts/collections/${path}/holders?pageSize=20&blockNumber=${height}`,
    )
    expect([200, 404], path).toContain(answer.status)
    const { holders = [] } = (await answer.json()) as {
      holders?: readonly Pick<Item, 'address' | 'balance'>[]
    }
    const found = new Map(holders.map(({ address, balance }) => [address.toLowerCase(), BigInt(balance)]))
    const isWhole = own[0]?.token.basis === 'logs'
    for (const { token, account, truth } of own) {
      const balance = found.get(account.toLowerCase())
      const what = `${token.name} ${path} at ${height}: ${account}`
      if (balance !== undefined || isWhole) expect([what, balance ?? 0n]).toEqual([what, truth])
    }
    listed += found.size
  }
  return listed
}

function isWrong({ item, truth }: Compared): boolean {
  return item?.balanceSource.isChecked === true && BigInt(item.balance) !== truth
}

/** Tokens of which accounts have some without any log or call. */
const GIVEN = ['NativeAlias', 'LiesByBlock']

/** Returns whether the balances of a token can be known. */
function isKnowable({ token }: Compared): boolean {
  return token.basis !== 'lying' && !GIVEN.includes(token.name)
}

function isMissing({ item, truth }: Compared): boolean {
  return truth !== undefined && truth !== 0n && item?.balanceSource.isChecked !== true
}

/** Lists the ERC-20 and ERC-1155 balances of the address with the URL `url`. */
async function listBalances(url: string, height: bigint): Promise<readonly Item[]> {
  const list = async (name: string) => {
    const answer = await fetch(`${url}/balances:list${name}?pageSize=50&blockNumber=${height}`)
    const body = (await answer.json()) as {
      readonly [list: string]: unknown
      readonly nextPageToken?: string
    }
    expect([answer.status, body.nextPageToken ?? ''], JSON.stringify(body).slice(0, 200)).toEqual([200, ''])
    return body[`${name.toLowerCase()}TokenBalances`] as readonly Item[]
  }
  return (await Promise.all(['Erc20', 'Erc1155'].map(list))).flat()
}

function keyOf(contract: string, tokenId: bigint | string, account: string): string {
  return `${contract} ${tokenId} ${account}`.toLowerCase()
}
