import { Hex } from '@firn/codec'
import { BalanceOf, BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, Plain, type Random, seeded } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainHoldersAt, type Selected, tokensOf } from '../testing/plainHolders.ts'
import type { Answered } from '../testing/serve.ts'
import { serveEvm } from '../testing/serveEvm.ts'

const NFTS = `/v1/chains/${TEST_CHAIN.chainId}/nfts/collections`
const chain = inventedChain({ seed: 21, transactions: [3, 7], accounts: 9 })
const blocks = chain.grow(90)

let store: EvmStore
let writer: EvmWriter
let ask: (url: string) => Promise<Answered>

beforeAll(async () => {
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await commit(blocks)
  ask = await serveEvm([store])
})

afterAll(() => store.close())

const commit = (parts: readonly InventedParts[]) =>
  writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))

/** Tokens of contracts that have only one standard. */
const TOKENS = ([721, 1155] as const).flatMap((standard) => {
  const others = new Set(tokensOf(blocks, standard === 721 ? 1155 : 721).map(({ contract }) => contract))
  return tokensOf(blocks, standard)
    .filter(({ contract }) => !others.has(contract))
    .map((one) => ({ ...one, standard }))
})

const pathOf = ({ contract, tokenId }: Pick<Selected, 'contract' | 'tokenId'>) =>
  `${NFTS}/${contract}${tokenId === undefined ? '' : `/tokens/${tokenId}`}`

/** Returns the elements of all pages. */
async function walk(url: string, member: string, size: number): Promise<readonly Element[]> {
  const found: Element[] = []
  for (let token = ''; ; ) {
    const { status, json } = await ask(
      `${url}${url.includes('?') ? '&' : '?'}pageSize=${size}&pageToken=${token}`,
    )
    expect([url, status]).toEqual([url, 200])
    expect(json[member].length).toBeLessThanOrEqual(size)
    found.push(...json[member])
    if (json.nextPageToken === undefined) return found
    token = json.nextPageToken
  }
}

interface Element {
  readonly address: string
  readonly balance: string
  readonly basis: string
  readonly from: { readonly address: string }
  readonly to: { readonly address: string }
  readonly value?: string
  readonly erc721Token?: { readonly tokenId: string }
  readonly erc1155Token?: { readonly tokenId: string }
}

async function compareHolders(
  all: readonly InventedParts[],
  random: Random,
  newest: bigint,
): Promise<number> {
  let compared = 0
  for (let i = 0; i < 60; i++) {
    const token = random.pick(TOKENS)
    const height = random.pick([newest, BigInt(random.below(Number(newest) + 1))])
    const tokenId = random.pick([token.tokenId, undefined])
    const threshold = random.pick([0n, 1n, 400n])
    const { contract, standard } = token
    // A token that was first transferred later is not found in a chain without that block.
    if (!tokensOf(all, standard).some((one) => one.contract === contract && one.tokenId === token.tokenId))
      continue
    const query =
      height === newest ? `threshold=${threshold}` : `threshold=${threshold}&blockNumber=${height}`
    const found = await walk(
      `${pathOf({ contract, tokenId })}/holders?${query}`,
      'holders',
      1 + random.below(4),
    )
    const expected = plainHoldersAt(all, { contract, standard, tokenId, height }, threshold)
    expect(found).toEqual(
      expected.map(([address, balance]) => ({
        ...{ address: EvmAddress.format(Hex.decode(address)), balance: String(balance), basis: 'logs' },
      })),
    )
    compared += found.length
  }
  return compared
}

test('lists the same holders and owners as the transfers, at random blocks, also after a reorg', async () => {
  const random = seeded(2)
  expect(new Set(TOKENS.map(({ standard }) => standard)).size).toBe(2)
  expect(await compareHolders(blocks, random, 89n)).toBeGreaterThan(30)

  const { contract } = TOKENS.find(({ standard }) => standard === 1155) ?? { contract: '' }
  const first = await ask(`${NFTS}/${contract}/holders?pageSize=1`)
  await writer.undo(60n)
  const fork = chain.branch(60n, 'fork')
  await commit(fork.grow(40))
  expect(await compareHolders(fork.blocks, random, 100n)).toBeGreaterThan(30)
  expect(first.json.nextPageToken).toBeDefined()
  expect((await ask(`${NFTS}/${contract}/holders?pageToken=${first.json.nextPageToken}`)).status).toBe(400)
  await writer.undo(60n)
  await commit(blocks.slice(61))
})

test('lists the transfers of a token, newest first, with each token of a batch', async () => {
  const lines = blocks.flatMap((parts) => Plain.transfers(parts as unknown as Plain.PlainParts))
  let compared = 0
  for (const { contract, tokenId, standard } of TOKENS.slice(0, 40)) {
    const expected = lines
      .map((line) => line.split(' '))
      .filter(([, , , kind, address]) => kind === String(standard) && address === contract)
      .filter((fields) => BigInt(String(fields[7])) === tokenId)
      .map((fields) => `${fields[5]} ${fields[6]} ${standard === 721 ? '1' : fields[8]}`)
      .reverse()
    const found = await walk(`${pathOf({ contract, tokenId })}/transfers`, 'transfers', 3)
    const shown = found.map(({ from, to, value = '1', erc721Token, erc1155Token }) => {
      expect((erc721Token ?? erc1155Token)?.tokenId).toBe(String(tokenId))
      return `${from.address} ${to.address} ${value}`.toLowerCase()
    })
    expect(shown).toEqual(expected)
    compared += found.length
  }
  expect(compared).toBeGreaterThan(40)
})

test.each([
  ['an unknown collection', 404, `/0x${'ee'.repeat(20)}/holders`],
  ['holders of an unknown token', 404, `/0x${'ee'.repeat(20)}/tokens/1/holders`],
  ['transfers of an unknown token', 404, `/0x${'ee'.repeat(20)}/tokens/1/transfers`],
  ['a token id that is too large', 400, `/0x${'ee'.repeat(20)}/tokens/${2n ** 256n}/holders`],
  ['a negative threshold', 400, `/0x${'ee'.repeat(20)}/holders?threshold=-1`],
  ['a later block', 400, `/${TOKENS[0]?.contract}/holders?blockNumber=100000`],
])('rejects %s', async (_, status, path) => {
  expect((await ask(NFTS + path)).status).toBe(status)
})

test('asks the contract if its logs do not add up to its balances', async () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const { height, hash } = await store.snapshot()
  const items = TOKENS.find(({ standard }) => standard === 1155)
  const art = TOKENS.find(({ standard }) => standard === 721)
  if (items === undefined || art === undefined) throw new Error('the chain lacks a standard')
  const contracts = [items, art].map(({ contract }) => ({
    ...{ contract: Hex.decode(contract), since: 0n, basis: 'chain' as const, class: 'rebasing' as const },
    ...{ agreements: 0, agreedFrom: null, checkedTo: height, due: null },
  }))
  const rest = { continues: false, unchecked: [], checked: [], readings: [] }
  expect(await writer.storeChecks({ first: height, last: height, hash, ...rest, contracts })).toBe(true)
  const owner = new Uint8Array(20).fill(0x55)
  const asked: unknown[] = []
  const withNode = await serveEvm([store], {
    callContracts: async (_chain, calls, at) => {
      asked.push(at)
      return calls.map(({ data }, i) =>
        data === BalanceOf.ownerCallData(art.tokenId)
          ? word(BigInt(Hex.encode(owner)))
          : i === 0
            ? word(0n)
            : word(3n),
      )
    },
  })
  const before = plainHoldersAt(blocks, { ...items, height }, 0n)
  const { json } = await withNode(`${pathOf(items)}/holders`)
  expect(json.tokenClass).toBe('rebasing')
  expect(json.holders).toEqual(
    before.slice(1, 10).map(([address]) => ({
      ...{ address: EvmAddress.format(Hex.decode(address)), balance: '3', basis: 'chain' },
    })),
  )
  expect((await withNode(`${pathOf(art)}/holders?blockNumber=${height - 1n}`)).json.holders).toHaveLength(
    plainHoldersAt(blocks, { ...art, height: height - 1n }, 0n).length,
  )
  expect((await withNode(`${pathOf(art)}/holders`)).json.holders).toEqual([
    { address: EvmAddress.format(owner), balance: '1', basis: 'chain' },
  ])
  expect(new Set(asked)).toContain(height)
})
