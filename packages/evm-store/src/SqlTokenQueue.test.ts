import { database } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import { sqlTokenQueue } from './SqlTokenQueue.ts'
import type { TokenOutcome } from './TokenQueue.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const [NOBODY, ANNA, ART] = [0, 1, 4].map(evmAddress) as [Uint8Array, Uint8Array, Uint8Array]
const LARGEST = 2n ** 256n - 1n

const minted = (height: bigint, ...ids: bigint[]) => {
  const logs = ids.map((tokenId, i) => evmTransfer(BigInt(i), ART, NOBODY, ANNA, { tokenId }))
  return { block: evmBlock(height, { transactions: [evmTransaction({ logs })] }), contracts: [] }
}

const outcome = (tokenId: bigint, given: Partial<TokenOutcome> = {}): TokenOutcome => ({
  contract: ART,
  tokenId,
  uri: 'ipfs://x/1',
  indexStatus: 'INDEXED',
  metadata: { name: 'One "quoted" \\ name', attributes: '[]' },
  attempts: 0,
  retryAt: undefined,
  checkedAt: 100n,
  ...given,
})

eachDatabase(({ openEvm, againEvm }) => {
  test('returns tokens as due until they are checked, and again from their retry time on', async () => {
    const store = await openEvm()
    const queue = sqlTokenQueue(await againEvm(store))
    const ids = async (now: bigint, limit = 10) => (await queue.due(limit, now)).map(({ tokenId }) => tokenId)
    expect(await ids(0n)).toEqual([])
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([minted(0n, 1n, LARGEST), minted(1n, 2n, 3n)])
    expect(await queue.due(1, 0n)).toEqual([{ contract: ART, tokenId: 1n, kind: 721, attempts: 0 }])
    expect(await ids(0n)).toEqual([1n, LARGEST, 2n, 3n])
    const failed = {
      indexStatus: 'UNREACHABLE_TOKEN_URI',
      metadata: undefined,
      attempts: 3,
      retryAt: 500n,
    } as const
    await queue.store([outcome(LARGEST), outcome(2n, failed), outcome(77n)])
    expect(await ids(499n)).toEqual([1n, 3n])
    expect(await ids(500n, 3)).toEqual([1n, 3n, 2n])
    expect((await queue.due(10, 500n)).at(-1)).toEqual({ contract: ART, tokenId: 2n, kind: 721, attempts: 3 })
    await queue.store([outcome(2n)])
    expect(await ids(500n)).toEqual([1n, 3n])
    const rows = await database(store).selectFrom('token_metadata').selectAll().orderBy('token_id').execute()
    expect(rows.map(({ token_id }) => token_id)).toEqual([2n, LARGEST])
    expect(rows[0]).toMatchObject({ uri: 'ipfs://x/1', metadata: outcome(2n).metadata, retry_at: null })
  })

  test('removes the metadata of undone tokens and drops outcomes for removed tokens', async () => {
    const store = await openEvm()
    const queue = sqlTokenQueue(await againEvm(store))
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([minted(0n, 1n), minted(1n, 2n, 3n)])
    await queue.store([outcome(1n), outcome(2n)])
    await writer.undo(0n)
    await queue.store([outcome(3n)])
    const metadata = () => database(store).selectFrom('token_metadata').select('token_id').execute()
    expect(await metadata()).toEqual([{ token_id: 1n }])
    expect(await queue.due(10, 0n)).toEqual([])
    await writer.commit([minted(1n, 2n)])
    expect((await queue.due(10, 0n)).map(({ tokenId }) => tokenId)).toEqual([2n])
  })

  test('leaves no metadata of removed tokens when outcomes and undos run concurrently', async () => {
    const store = await openEvm()
    const queue = sqlTokenQueue(await againEvm(store))
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([minted(0n)])
    for (let round = 0; round < 5; round++) {
      await writer.commit([minted(1n, 1n, 2n, 3n)])
      await Promise.all([queue.store([outcome(1n), outcome(2n), outcome(3n)]), writer.undo(0n)])
      expect(await database(store).selectFrom('token_metadata').select('token_id').execute()).toEqual([])
    }
  })
})
