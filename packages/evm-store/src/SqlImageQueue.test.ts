import { createHash } from 'node:crypto'
import { database } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import type { Image, ImageOutcome } from './ImageQueue.ts'
import * as EvmImages from './queries/Images.ts'
import * as EvmTokens from './queries/Tokens.ts'
import { sqlImageQueue } from './SqlImageQueue.ts'
import { sqlTokenQueue } from './SqlTokenQueue.ts'
import type { Metadata, TokenOutcome } from './TokenQueue.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const [NOBODY, ANNA, ART] = [0, 1, 4].map(evmAddress) as [Uint8Array, Uint8Array, Uint8Array]

const minted = (height: bigint, ...ids: bigint[]) => {
  const logs = ids.map((tokenId, i) => evmTransfer(BigInt(i), ART, NOBODY, ANNA, { tokenId }))
  return { block: evmBlock(height, { transactions: [evmTransaction({ logs })] }), contracts: [] }
}

const named = (
  tokenId: bigint,
  metadata: Metadata = { imageUri: `ipfs://x/${tokenId}.png` },
): TokenOutcome => ({
  contract: ART,
  tokenId,
  uri: 'ipfs://x/1',
  indexStatus: 'INDEXED',
  metadata,
  attempts: 0,
  retryAt: undefined,
  checkedAt: 100n,
})

/** Size of an image of {@link image} with its other columns. */
const SIZE = 1_512

const image = (fill: number): Image => ({
  contentType: 'image/png',
  width: 2,
  height: 3,
  bytes: new Uint8Array(1_000).fill(fill),
})

const copied = (tokenId: bigint, result: ImageOutcome['result'], checkedAt = 100n): ImageOutcome => ({
  contract: ART,
  tokenId,
  uri: `ipfs://x/${tokenId}.png`,
  result,
  attempts: 0,
  retryAt: undefined,
  checkedAt,
})

const hashOf = ({ bytes }: Image) => new Uint8Array(createHash('sha256').update(bytes).digest())

async function hashes(store: EvmStore) {
  const query = { after: undefined, limit: 100 }
  const tokens = await EvmTokens.ofContract(store, await store.snapshot(), ART, query)
  return tokens.map(({ imageHash }) => imageHash && new Uint8Array(imageHash))
}

eachDatabase(({ openEvm, againEvm }) => {
  async function opened(copiesImages = true) {
    const store = await openEvm()
    const other = await againEvm(store)
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit([minted(0n, 1n, 2n), minted(1n, 3n, 4n)])
    const queue = sqlImageQueue(other)
    const due = async (now = 0n) => (await queue.due(10, now)).map(({ tokenId }) => tokenId).toSorted()
    return { store, writer, queue, due, tokens: sqlTokenQueue(other, { copiesImages }) }
  }

  test('returns the images that metadata names until their copies are stored', async () => {
    const { store, queue, due, tokens } = await opened()
    await tokens.store([named(1n), named(2n), named(3n, { name: 'without image' })])
    expect(await due()).toEqual([1n, 2n])
    expect((await queue.due(10, 0n)).find(({ tokenId }) => tokenId === 1n)).toEqual({
      contract: ART,
      tokenId: 1n,
      uri: 'ipfs://x/1.png',
      attempts: 0,
    })
    const failed = { ...copied(2n, { failure: 'timeout' }), attempts: 1, retryAt: 500n }
    await queue.store([copied(1n, image(1)), failed])
    expect([await due(499n), await due(500n)]).toEqual([[], [2n]])
    expect(await hashes(store)).toEqual([hashOf(image(1)), null, null, null])
    const found = await EvmImages.byHash(store, hashOf(image(1)))
    expect({ ...found, bytes: new Uint8Array(found?.bytes ?? []) }).toEqual(image(1))
    expect(await EvmImages.byHash(store, hashOf(image(2)))).toBeUndefined()
  })

  test('stores an image that several tokens share once', async () => {
    const { store, queue, tokens } = await opened()
    await tokens.store([named(1n), named(2n)])
    await queue.store([copied(1n, image(1)), copied(2n, image(1))])
    expect(await hashes(store)).toEqual([hashOf(image(1)), hashOf(image(1)), null, null])
    expect(await EvmImages.usage(store)).toEqual({ images: 1, bytes: SIZE })
  })

  test('copies the image again when the metadata changes, and drops the result for an earlier URI', async () => {
    const { store, queue, due, tokens } = await opened()
    await tokens.store([named(1n)])
    await queue.store([copied(1n, image(1))])
    await tokens.store([named(1n, { imageUri: 'ipfs://x/other.png' })])
    await queue.store([copied(1n, image(2))])
    expect(await due()).toEqual([1n])
    expect((await hashes(store))[0]).toEqual(hashOf(image(1)))
    await queue.store([{ ...copied(1n, image(3)), uri: 'ipfs://x/other.png' }])
    expect([await due(), (await hashes(store))[0]]).toEqual([[], hashOf(image(3))])
    await tokens.store([named(1n, { name: 'without image' })])
    expect((await hashes(store))[0]).toBeNull()
  })

  test('removes the oldest images above the limit, and forgets them', async () => {
    const { store, queue, due, tokens } = await opened()
    await tokens.store([named(1n), named(2n), named(3n), named(4n)])
    await queue.store([copied(1n, image(1), 100n), copied(2n, image(2), 101n), copied(3n, image(3), 102n)])
    // The first image is stored again, so it is no longer the oldest.
    await queue.store([copied(4n, image(1), 103n)])
    expect(await queue.trim(3 * SIZE)).toEqual({ images: 3, bytes: 3 * SIZE })
    expect(await queue.trim(3 * SIZE - 1)).toEqual({ images: 2, bytes: 2 * SIZE })
    expect(await hashes(store)).toEqual([hashOf(image(1)), null, hashOf(image(3)), hashOf(image(1))])
    expect(await EvmImages.byHash(store, hashOf(image(2)))).toBeUndefined()
    expect(await due(10_000n)).toEqual([])
    expect(await queue.trim(0)).toEqual({ images: 0, bytes: 0 })
  })

  test('adds the images of metadata that was stored while images were not copied', async () => {
    const { queue, due, tokens } = await opened(false)
    await tokens.store([named(1n), named(2n, { name: 'without image' }), named(3n)])
    expect(await due()).toEqual([])
    expect(await queue.fill(undefined)).toBeUndefined()
    expect(await due()).toEqual([1n, 3n])
    await queue.store([copied(1n, image(1))])
    await queue.fill(undefined)
    expect(await due()).toEqual([3n])
    expect(await queue.fill({ contract: ART, tokenId: 3n })).toBeUndefined()
  })

  test('lets the doctor find images with another hash, and tokens whose image is not stored', async () => {
    const { store, queue, tokens } = await opened()
    const faults = async () => {
      const found = (await EvmDoctor.check(store)).faults
      return found.filter(({ table }) => table.includes('image')).map(({ table }) => table)
    }
    await tokens.store([named(1n), named(2n)])
    await queue.store([copied(1n, image(1)), copied(2n, image(2))])
    expect(await faults()).toEqual([])
    const changed = { bytes: image(3).bytes }
    await database(store)
      .updateTable('image')
      .set(changed)
      .where('hash', '=', hashOf(image(1)))
      .execute()
    await database(store)
      .deleteFrom('image')
      .where('hash', '=', hashOf(image(2)))
      .execute()
    expect(await faults()).toEqual(['image', 'token_image'])
  })

  test('leaves nothing of undone tokens, even if results are stored concurrently', async () => {
    const { store, writer, queue, tokens } = await opened()
    await writer.undo(0n)
    for (let round = 0; round < 5; round++) {
      await writer.commit([minted(1n, 3n, 4n)])
      await tokens.store([named(3n), named(4n)])
      await Promise.all([queue.store([copied(3n, image(3)), copied(4n, image(4))]), writer.undo(0n)])
      expect(await database(store).selectFrom('token_image').select('token_id').execute()).toEqual([])
    }
  })
})
