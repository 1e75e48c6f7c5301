import { Bytes, Hex } from '@firn/codec'
import { type Block, BlockReader, type ContractFacts, type Log } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { turnIntoCollection } from './internal/collections.ts'
import * as Contracts from './queries/Contracts.ts'
import * as TokenHolders from './queries/TokenHolders.ts'
import * as Tokens from './queries/Tokens.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { clearEvm, evmContents } from './testing/evmContents.ts'

const TRANSFER = Hex.decode('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const word = (value: bigint) => Hex.decode(`0x${value.toString(16).padStart(64, '0')}`)

/**
 * A chain with a contract whose transfers have no indexed fields, and whose values are ids: all ERC-721 logs of the
 * generated chain's contracts but one in four. So the contract also emits logs of ERC-721.
 */
function collectionChain(seed: number, count: number) {
  const blocks = inventedChain({ seed, transactions: [5, 10], accounts: 6 })
    .grow(count)
    .map((parts) => BlockReader.read(parts))
  const of = (log: Log): Log => {
    const [topic, from, to, id] = log.topics
    if (topic === undefined || from === undefined || to === undefined || id === undefined) return log
    if (!Bytes.equals(topic, TRANSFER) || log.data.length > 0 || log.index % 4n === 3n) return log
    return { ...log, topics: [TRANSFER], data: Bytes.concat(from, to, id) }
  }
  return blocks.map(
    (block): Block => ({
      ...block,
      transactions: block.transactions.map((one) => ({ ...one, logs: one.logs.map(of) })),
    }),
  )
}

/** The ERC-721 contract that emits most of the logs; addresses of ERC-721 contracts begin with 72. */
function collectionIn(blocks: readonly Block[]): Uint8Array {
  const counts = new Map<string, number>()
  for (const { address } of blocks.flatMap(({ transactions }) => transactions.flatMap(({ logs }) => logs)))
    if (address[0] === 0x72) counts.set(Hex.encode(address), (counts.get(Hex.encode(address)) ?? 0) + 1)
  const [[most = ''] = []] = [...counts].toSorted(([, one], [, other]) => other - one)
  return Hex.decode(most)
}

const indexed = (block: Block) => ({
  block,
  contracts: block.transactions.flatMap(({ logs }) => logs.map(({ address }) => inventedFacts(address))),
})
const answered = (address: Uint8Array): ContractFacts => ({ ...inventedFacts(address), valuesAreIds: true })
const at = ({ height, hash, timestamp: time }: Block) => ({ height, hash, time, settledHeight: null })

/** Everything that is derived from the blocks, in which the doctor finds no fault. */
async function contents(store: EvmStore) {
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  return evmContents(store)
}

eachDatabase(({ openEvm }) => {
  describe('a contract whose ERC-20 transfers contain ids', () => {
    const blocks = collectionChain(3, 60)
    const contract = collectionIn(blocks)
    const commit = async (writer: EvmWriter, from: number, until: number) =>
      writer.commit(blocks.slice(from, until).map(indexed))

    test('is stored alike whenever it is known, and after reorgs', async () => {
      const [early, late] = [await openEvm(), await openEvm()]
      const first = await EvmWriter.open(early, TEST_CHAIN)
      const since = blocks.findIndex(({ transactions }) =>
        transactions.some(({ logs }) => logs.some(({ address }) => Bytes.equals(address, contract))),
      )
      await commit(first, 0, since + 1)
      await first.storeContracts(at(blocks[since] as Block), [answered(contract)])
      await commit(first, since + 1, 60)
      const expected = await contents(early)
      const own = (table: string) => expected[table]?.filter((row) => row.includes(Hex.encode(contract)))
      expect(own('transfer')?.some((row) => row.includes('position 2147483647'))).toBe(true)
      expect(own('transfer')?.some((row) => row.includes('position 0'))).toBe(true)
      expect(own('transfer')?.some((row) => row.includes('standard 20'))).toBe(false)
      expect(own('token_owner')?.length).toBeGreaterThan(10)

      let second = await EvmWriter.open(late, TEST_CHAIN)
      await commit(second, 0, 50)
      expect(await second.storeContracts(at(blocks[49] as Block), [answered(contract)])).toBe(true)
      expect((await EvmDoctor.check(late)).faults).toEqual([])
      await second.undo(30n)
      await commit(second, 31, 45)
      second = await EvmWriter.open(late, TEST_CHAIN)
      await commit(second, 45, 60)
      expect(await contents(late)).toEqual(expected)
    })

    test('is stored alike in pages of few transfers', async () => {
      const [whole, paged] = [await openEvm(), await openEvm()]
      const last = at(blocks[59] as Block)
      const first = await EvmWriter.open(whole, TEST_CHAIN)
      await commit(first, 0, 60)
      await first.storeContracts(last, [answered(contract)])
      await commit(await EvmWriter.open(paged, TEST_CHAIN), 0, 60)
      await paged.driver.transaction((session) => turnIntoCollection(session, contract, last, { page: 2 }))
      expect(await contents(paged)).toEqual(await contents(whole))
    })

    test('has the same digests as if it was never known', async () => {
      const [known, unknown] = [await openEvm(), await openEvm()]
      for (const store of [known, unknown]) {
        const writer = await EvmWriter.open(store, TEST_CHAIN)
        await commit(writer, 0, 60)
        if (store === known) await writer.storeContracts(at(blocks[59] as Block), [answered(contract)])
      }
      const digests = async (store: EvmStore) => (await evmContents(store))['block']
      expect(await digests(known)).toEqual(await digests(unknown))
    })

    test('has the owners and holders of its tokens at each height', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await commit(writer, 0, 60)
      const [due] = (await Contracts.due(store, 10n ** 12n, 1_000)).filter(({ address }) =>
        Bytes.equals(address, contract),
      )
      expect(due).toMatchObject({ tellsErc20: true, value: expect.any(BigInt) })
      await writer.storeContracts(at(blocks[59] as Block), [answered(contract)])
      const [known] = await Contracts.byAddresses(store, await store.snapshot(), [contract])
      expect(known?.standard).toBe(721)
      const owners = new Map<bigint, string>()
      for (const { height, transactions } of blocks) {
        for (const { address, topics, data } of transactions.flatMap(({ logs }) => logs)) {
          if (!Bytes.equals(address, contract) || !Bytes.equals(topics[0] ?? data, TRANSFER)) continue
          const fields = [
            ...topics.slice(1),
            ...(data.length === 96 ? [0, 32, 64].map((i) => data.subarray(i, i + 32)) : []),
          ]
          if (fields.length !== 3) continue
          owners.set(
            BigInt(Hex.encode(fields[2] as Uint8Array)),
            Hex.encode(fields[1] as Uint8Array).replace(/^0x0{24}/, '0x'),
          )
        }
        const counts = Map.groupBy(
          [...owners.values()].filter((one) => BigInt(one) !== 0n),
          (one) => one,
        )
        const query = {
          contract,
          standard: 721,
          threshold: 0n,
          height,
          after: undefined,
          limit: 100,
        } as const
        const holders = await TokenHolders.at(store, query)
        expect(new Map(holders.map((one) => [Hex.encode(one.address), one.balance]))).toEqual(
          new Map([...counts].map(([address, own]) => [address, BigInt(own.length)])),
        )
        for (const [tokenId, owner] of owners) {
          const found = await Tokens.ownerAt(store, { contract, tokenId }, height)
          expect(found && Hex.encode(found)).toBe(owner)
        }
      }
      expect(owners.size).toBeGreaterThan(5)
    })

    test.each([
      [
        'of a chain whose transfers were removed',
        "insert into pruned (kind, below) values ('transfers', 20)",
      ],
      ['with decimals', 'update contract set decimals = 6'],
      ['after another answer', 'update contract set values_are_ids = false'],
      ['with another standard', 'update contract set standard = 1155'],
    ])('remains what it is %s', async (_what, change) => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await commit(writer, 0, 60)
      const before = await evmContents(store)
      await sql.raw(change).execute(database(store))
      expect(await writer.storeContracts(at(blocks[59] as Block), [answered(contract)])).toBe(true)
      const after = await evmContents(store)
      for (const table of ['transfer', 'token', 'token_owner', 'token_balance'])
        expect([table, after[table]]).toEqual([table, before[table]])
      await clearEvm(store)
    })

    test('remains ERC-20 if it has more transfers than can be turned while no block is stored', async () => {
      const store = await openEvm()
      await commit(await EvmWriter.open(store, TEST_CHAIN), 0, 60)
      const turn = (mostTransfers: number) =>
        store.driver.transaction((session) =>
          turnIntoCollection(session, contract, at(blocks[59] as Block), { mostTransfers }),
        )
      const before = await contents(store)
      expect(await turn(3)).toBe(false)
      expect(await contents(store)).toEqual(before)
      expect(await turn(1_000)).toBe(true)
      expect(await turn(3)).toBe(true)
    })

    test('remains ERC-20 if it has deposits, or if the block at which it was asked is removed', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await commit(writer, 0, 60)
      const before = await contents(store)
      const removed = { ...at(blocks[59] as Block), hash: word(5n) }
      expect(await writer.storeContracts(removed, [answered(contract)])).toBe(false)
      expect(await contents(store)).toEqual(before)
      await sql`update token_holder set wrapped = 1 where contract = ${contract} and standard = 20`.execute(
        database(store),
      )
      await writer.storeContracts(at(blocks[59] as Block), [answered(contract)])
      await sql`update token_holder set wrapped = 0 where contract = ${contract}`.execute(database(store))
      expect((await contents(store))['transfer']).toEqual(before['transfer'])
      await clearEvm(store)
    })
  })
})
