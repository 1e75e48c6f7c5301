import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Hex } from '@firn/codec'
import type { Block, ContractFacts } from '@firn/evm'
import { RECORDED, type RecordedName } from '@firn/evm/testing'
import type { EvmStore } from '@firn/evm-store'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { database, STEP } from '@firn/sql/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { plainAnswers, type Range } from '../testing/plainAnswers.ts'
import { decimal, type PlainChain, plainEvm } from '../testing/plainEvm.ts'
import type { PlainFacts, PlainMetadata } from '../testing/plainShapes.ts'
import { serveEvm } from '../testing/serveEvm.ts'

const EVER: Range = [0, 1_000_000]

/**
 * Returns a function that gives the facts of a recorded contract. The kind follows from the contract's
 * transfers, and the names contain unusual bytes.
 */
function factsOf(plain: PlainChain): (address: string) => PlainFacts {
  const utf8 = (text: string) => new TextEncoder().encode(text)
  return (address) => {
    const standard = plain.transfers.find(({ contract }) => contract === address)?.standard
    if (standard === 20) {
      return {
        kind: 'ERC-20',
        name: utf8(`Coin ${address.slice(2, 6)}\0`),
        symbol: utf8('ČOIN'),
        decimals: 6,
      }
    }
    if (standard === 721)
      return { kind: 'ERC-721', name: Uint8Array.of(0xff, 0x41, 0, 0xc3), symbol: utf8('') }
    if (standard === 1155) return { kind: 'ERC-1155' }
    return Number.parseInt(address.slice(-1), 16) % 2 === 0
      ? { kind: 'UNKNOWN', name: utf8('Factory') }
      : { kind: 'UNKNOWN', decimals: 255 }
  }
}

/**
 * Returns a function that lists the facts of every address in a block that may be a contract, in the format
 * of the indexer.
 */
function contractsOf(facts: (address: string) => PlainFacts) {
  return (block: Block): ContractFacts[] => {
    const addresses = new Set<string>()
    const visit = (frame: NonNullable<Block['traces']>[number]) => {
      if (frame.to !== undefined) addresses.add(Hex.encode(frame.to))
      frame.calls.forEach(visit)
    }
    block.traces?.forEach(visit)
    for (const { logs, contractAddress } of block.transactions) {
      for (const { address } of logs) addresses.add(Hex.encode(address))
      if (contractAddress !== undefined) addresses.add(Hex.encode(contractAddress))
    }
    return [...addresses].map((address) => ({
      name: undefined,
      symbol: undefined,
      decimals: undefined,
      ...facts(address),
      address: Hex.decode(address),
    }))
  }
}

/** Returns invented metadata for tokens with an odd id, and undefined for others. */
function metadataOf(contract: string, tokenId: bigint): PlainMetadata | undefined {
  if (tokenId % 2n === 0n) return undefined
  const isFound = tokenId % 3n !== 0n
  return {
    uri: `ipfs://${contract}/${tokenId}`,
    checkedAt: 1_795_220_000 + Number(tokenId % 1_000n),
    indexStatus: isFound ? 'INDEXED' : 'UNREACHABLE_TOKEN_URI',
    metadata: isFound
      ? { name: `No. ${tokenId}`, description: 'a "token" \u2028 of\ntwo lines', imageUri: 'data:,x' }
      : {},
  }
}

/** Returns an invented native balance that is different for each address and height. */
function nativeOf(address: string, height: number): bigint {
  return BigInt(`0x${createHash('sha256').update(`${address} ${height}`).digest('hex')}`)
}

async function storeMetadata(store: EvmStore, plain: PlainChain): Promise<void> {
  const tokens = new Map(
    plain.transfers
      .filter(({ standard }) => standard !== 20)
      .map(({ contract, tokenId }) => [`${contract}.${tokenId}`, { contract, tokenId }]),
  )
  for (const { contract, tokenId } of tokens.values()) {
    const found = metadataOf(contract, tokenId)
    if (found === undefined) continue
    const { uri, indexStatus, checkedAt, metadata } = found
    await database(store)
      .insertInto('token_metadata')
      .values({
        contract: Hex.decode(contract),
        token_id: tokenId,
        uri,
        index_status: indexStatus,
        checked_at: BigInt(checkedAt),
        attempts: 1,
        retry_at: null,
        metadata: indexStatus === 'INDEXED' ? JSON.stringify(metadata) : null,
      })
      .execute()
  }
}

async function setUp(name: RecordedName) {
  // Some blocks of the `helicon` network were recorded without traces.
  const hasTraces = name !== 'helicon'
  const plain = plainEvm(name, hasTraces)
  const facts = factsOf(plain)
  const store = await recordedEvmStore(name, contractsOf(facts))
  await storeMetadata(store, plain)
  const ask = await serveEvm([store], {
    nativeBalance: async (_chain, address, height) => nativeOf(Hex.encode(address), Number(height)),
  })
  const chain = await store.chain()
  if (chain === undefined) throw new Error('expected a chain')
  expect(chain.hasTraces).toBe(hasTraces)
  const { token } = chain
  const chainId = String(chain.chainId)
  const answers = plainAnswers(plain, {
    chainId,
    token,
    hasTraces,
    facts,
    metadata: metadataOf,
    native: nativeOf,
  })
  /** Reads all items of a list. The default page size of 7 usually leaves a partial last page. */
  const all = async (path: string, member: string, query = '', pageSize = 7) => {
    const found: unknown[] = []
    let token = ''
    do {
      const { status, json } = await ask(
        `/v1/chains/${chainId}/${path}?pageSize=${pageSize}${query}&pageToken=${token}`,
      )
      expect([path, status, json.message]).toEqual([path, 200, undefined])
      found.push(...json[member])
      token = json.nextPageToken ?? ''
    } while (token !== '')
    return found
  }
  const one = async (path: string) => {
    const { status, json } = await ask(`/v1/chains/${chainId}/${path}`)
    return status === 200 ? json : status
  }
  return { plain, answers, all, one, chainId, hasTraces, ask }
}

/** Compares two lists. On failure it reports only the first different item, because the lists are long. */
function expectSame(actual: readonly unknown[], expected: readonly unknown[]): void {
  const plain = JSON.parse(JSON.stringify(expected))
  const first = actual.findIndex((each, index) => !isDeepStrictEqual(each, plain[index]))
  if (first !== -1) expect([first, actual[first]]).toEqual([first, plain[first]])
  expect(actual.length).toBe(plain.length)
}

describe.each(RECORDED)('answers about the recorded chain %s', (name) => {
  let set: Awaited<ReturnType<typeof setUp>>

  beforeAll(async () => {
    set = await setUp(name)
  })

  /** Returns every address in the recording and one unused address. */
  function everybody(): readonly string[] {
    const { plain, answers } = set
    const named = [
      ...plain.transactions.flatMap(({ transaction }) => [transaction.from, transaction.to]),
      ...plain.transfers.flatMap(({ contract, from, to }) => [contract, from, to]),
      ...plain.calls.flatMap(({ frame }) => [frame.from, frame.to]),
      ...answers.contracts,
    ]
    return [...new Set(named.filter((address) => typeof address === 'string')), `0x${'12'.repeat(20)}`]
  }

  test('returns the recorded blocks, both in a list and by number and hash', async () => {
    const { plain, answers, all, one } = set
    expectSame(await all('blocks', 'blocks'), answers.blocks)
    for (const [i, { block }] of plain.blocks.entries()) {
      if (i % STEP > 0) continue
      const expected = answers.blocks[plain.blocks.length - 1 - i]
      expect(await one(`blocks/${decimal(block.number)}`)).toEqual(expected)
      expect(await one(`blocks/${block.hash.toUpperCase().replace('X', 'x')}`)).toEqual(expected)
    }
    expect(await one(`blocks/${plain.blocks.length}`)).toBe(404)
  })

  test('returns the recorded transactions, by status, by block and by hash', async () => {
    const { plain, answers, all, one } = set
    expectSame(await all('transactions', 'transactions'), answers.transactions())
    for (const status of ['failed', 'success'] as const) {
      expectSame(await all('transactions', 'transactions', `&status=${status}`), answers.transactions(status))
    }
    for (const [height, { block }] of plain.blocks.entries()) {
      if (height % STEP > 0) continue
      expectSame(await all(`blocks/${block.hash}/transactions`, 'transactions'), answers.ofBlock(height))
    }
    for (const of of plain.transactions.filter((_, i) => i % STEP === 0)) {
      expect(await one(`transactions/${of.transaction.hash}`)).toEqual(answers.full(of))
    }
    expect(await one(`transactions/0x${'12'.repeat(32)}`)).toBe(404)
  })

  test('lists exactly the transactions, transfers and calls of each address', async () => {
    const { plain, answers, all, hasTraces, one } = set
    const addresses = everybody()
    expect(addresses.length).toBeGreaterThan(10)
    const middle = Math.floor(plain.blocks.length / 2)
    for (const [i, address] of addresses.entries()) {
      const own = `addresses/${address}/transactions`
      // The first addresses have the most items, so they are tested with a block range.
      const range: Range = i < 6 ? [10, middle] : EVER
      const query = i < 6 ? `&startBlock=10&endBlock=${middle}` : ''
      expectSame(await all(`${own}:listNative`, 'transactions', query), answers.native(address, range))
      expectSame(await all(own, 'transactions', query), answers.involving(address, range))
      for (const standard of [20, 721, 1155]) {
        expectSame(
          await all(`${own}:listErc${standard}`, 'transactions', query),
          answers.transfers(standard, address, range),
        )
      }
      if (hasTraces) {
        expectSame(
          await all(`${own}:listInternals`, 'transactions', query),
          answers.internals(address, range),
        )
      }
      expectSame(
        await all(`tokens/${address}/transfers`, 'transfers', query),
        answers.contractTransfers(address, range),
      )
    }
    const [first = ''] = addresses
    expectSame(
      await all(`addresses/${first}/transactions`, 'transactions', '&sortOrder=asc', 90),
      answers.involving(first, EVER).toReversed(),
    )
    if (!hasTraces) expect(await one(`addresses/${addresses[0]}/transactions:listInternals`)).toBe(404)
  })

  test('returns the kind, names and deployer of each contract', async () => {
    const { answers, all, one } = set
    for (const address of everybody()) {
      expectSame(await all(`contracts/${address}/deployments`, 'contracts'), answers.deployments(address))
      const isContract = answers.contracts.has(address)
      expect(await one(`addresses/${address}`)).toEqual(isContract ? answers.contract(address) : 404)
      const created = answers.deployment(address)
      expect(await one(`contracts/${address}/transactions:getDeployment`)).toEqual(
        created === undefined ? 404 : answers.full(created),
      )
    }
  })

  test("returns the owner and metadata of each contract's tokens", async () => {
    const { answers, all, one } = set
    let found = 0
    for (const address of everybody()) {
      const tokens = answers.tokens(address)
      const path = `nfts/collections/${address}/tokens`
      if (tokens.length === 0) {
        expect(await one(path)).toBe(404)
        continue
      }
      expectSame(await all(path, 'tokens', '', 2), tokens)
      for (const token of tokens) expect(await one(`${path}/${token.tokenId}`)).toEqual(token)
      expect(await one(`${path}/${2n ** 256n - 1n}`)).toBe(404)
      found += tokens.length
    }
    expect(found).toBeGreaterThan(name === 'helicon' ? -1 : 3)
  })

  test('returns balances that equal the sum of the transfers, at the newest and at an earlier block', async () => {
    const { plain, answers, all, one } = set
    const top = plain.blocks.length - 1
    for (const address of everybody()) {
      const own = `addresses/${address}/balances`
      expect(await one(`${own}:getNative`)).toEqual(answers.nativeBalance(address, top))
      for (const height of [Math.floor(top / 3), top]) {
        const query = height === top ? '' : `&blockNumber=${height}`
        const native = answers.nativeBalance(address, height)
        expect(await one(`${own}:getNative?${query}`)).toEqual(native)
        expect(await one(`${own}:listErc20?pageSize=500${query}`)).toMatchObject(native)
        expectSame(
          await all(`${own}:listErc20`, 'erc20TokenBalances', query, 1),
          answers.erc20Balances(address, height),
        )
        expectSame(
          await all(`${own}:listErc1155`, 'erc1155TokenBalances', query, 2),
          answers.erc1155Balances(address, height),
        )
      }
      const owned = answers.erc721Balances(address)
      expectSame(await all(`${own}:listErc721`, 'erc721TokenBalances', '', 2), owned)
      expect(await one(`${own}:listErc721`)).toMatchObject(answers.nativeBalance(address, top))
      expectSame(
        await all(`${own}:listCollectibles`, 'collectibleBalances', '', 2),
        answers.collectibles(address, top),
      )
    }
  })
})
