import { Hex } from '@firn/codec'
import type { ContractFacts } from '@firn/evm'
import { EvmWriter } from '@firn/evm-store'
import {
  evmAddress,
  evmBlock,
  evmTransaction,
  evmTransfer,
  openEvm,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { expect, test } from 'vitest'
import type { Answered } from '../../testing/serve.ts'
import { serveEvm } from '../../testing/serveEvm.ts'

const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`
const [NOBODY, OWNER] = [0, 9].map(evmAddress) as [Uint8Array, Uint8Array]
const TOKENS = 300
/** Every tenth token is none of spam. */
const isGood = (i: number) => i % 10 === 9

const addressOf = (i: number) => Hex.decodeBare((0x1000 + i).toString(16).padStart(40, '0'))

async function serve(standard: 20 | 721): Promise<(path: string) => Promise<Answered>> {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const text = (value: string) => new TextEncoder().encode(value)
  const contracts = Array.from({ length: TOKENS }, (_, i): ContractFacts => {
    const name = text(isGood(i) ? `Snow ${i}` : `Claim at snow${i}.com`)
    return {
      ...{ address: addressOf(i), standard, name, symbol: text('SNOW'), decimals: 0 },
      ...{ proxy: 'NONE', implementation: undefined, beacon: undefined },
    } as unknown as ContractFacts
  })
  const logs = contracts.map(({ address }, i) =>
    evmTransfer(BigInt(i), address, NOBODY, OWNER, standard === 20 ? { amount: 5n } : { tokenId: 1n }),
  )
  const block = evmBlock(0n, { transactions: [evmTransaction({ logs })] })
  await writer.commit([{ block, contracts }])
  const ask = await serveEvm([store], { nativeBalance: async () => 0n })
  return (path) => ask(`${CHAIN}${path}`)
}

interface Shown {
  readonly address: string
  readonly spamReasons: readonly string[]
}

/** Returns the elements of all pages, and the number of pages. */
async function walk(ask: (path: string) => Promise<Answered>, path: string, member: string) {
  const found: Shown[] = []
  let pages = 0
  for (let token = ''; ; pages++) {
    const { status, json } = await ask(`${path}&pageToken=${token}`)
    expect(status).toBe(200)
    found.push(...json[member])
    if (json.nextPageToken === undefined) return { found, pages: pages + 1 }
    token = json.nextPageToken
  }
}

const GOOD = Array.from({ length: TOKENS }, (_, i) => i).filter(isGood)

test('leaves out spam by default in lists of ERC-20 balances, and shows it with its reasons on request', async () => {
  const ask = await serve(20)
  const list = `/addresses/${Hex.encode(OWNER)}/balances:listErc20?pageSize=3`
  const { found, pages } = await walk(ask, list, 'erc20TokenBalances')
  expect(found.map(({ address }) => address.toLowerCase())).toEqual(GOOD.map((i) => Hex.encode(addressOf(i))))
  expect(pages).toBeLessThan(TOKENS / 6)
  const all = await walk(ask, `${list}&filterSpamTokens=false`, 'erc20TokenBalances')
  expect(all.found).toHaveLength(TOKENS)
  for (const [i, { spamReasons }] of all.found.entries())
    expect(spamReasons).toEqual(isGood(i) ? [] : ['URL_IN_NAME'])
})

test.each([
  ['Erc721', 'erc721TokenBalances'],
  ['Collectibles', 'collectibleBalances'],
])('shows all NFTs in balances:list%s, and leaves out spam on request', async (name, member) => {
  const ask = await serve(721)
  const list = `/addresses/${Hex.encode(OWNER)}/balances:list${name}?pageSize=50`
  const all = await walk(ask, list, member)
  expect(all.found).toHaveLength(TOKENS)
  const { found } = await walk(ask, `${list}&filterSpamTokens=true`, member)
  expect(found.map(({ address }) => address.toLowerCase())).toEqual(GOOD.map((i) => Hex.encode(addressOf(i))))
})

test('says of a contract why its tokens may be spam', async () => {
  const ask = await serve(20)
  const of = async (i: number) => (await ask(`/addresses/${Hex.encode(addressOf(i))}`)).json.spamReasons
  expect([await of(0), await of(9)]).toEqual([['URL_IN_NAME'], []])
})
