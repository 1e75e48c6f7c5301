import { Bytes, Hex } from '@firn/codec'
import { fetchRows } from '@firn/sql'
import { codeOf } from '@firn/sql/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as frames from './internal/frames.ts'
import * as SnapshotFile from './SnapshotFile.ts'
import * as StateDigest from './StateDigest.ts'
import type { Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { recordedStore } from './testing/recordedStore.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

async function fileOf(store: Store): Promise<{ frames: Uint8Array[]; digest: Uint8Array }> {
  const written: Uint8Array[] = []
  const { digest } = await SnapshotFile.write(store, async (frame) => void written.push(frame))
  return { frames: written, digest }
}

async function* chunks(bytes: Uint8Array, size = 60_000): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Returns the frame with another header. */
async function withHeader(frame: Uint8Array, change: (header: Record<string, unknown>) => void) {
  for await (const { header, body } of frames.decode(chunks(frame))) {
    const changed = header as Record<string, unknown>
    change(changed)
    return frames.encode(changed, body)
  }
  throw new Error('there is no frame')
}

const local = await recordedStore('local')
const file = await fileOf(local)
const bytes = Bytes.concat(...file.frames)
const { genesis, constants, chains } = load('local')

eachDatabase(({ name, open, again }) => {
  describe(`a snapshot file on ${name}`, () => {
    test('is read into an empty database, which then has the same digest', async () => {
      const store = await open()
      const seen = new Map<string, number>()
      const found = await SnapshotFile.read(store, chunks(bytes), {
        digest: file.digest,
        genesisId: genesis.genesisId,
        onRows: (table, rows) => seen.set(table, (seen.get(table) ?? 0) + rows),
      })
      expect(found.snapshot).toEqual(await local.snapshot())
      expect(await store.snapshot()).toEqual(await local.snapshot())
      expect(Hex.encode(await StateDigest.of(await again(store)))).toBe(Hex.encode(file.digest))
      expect((await fileOf(store)).frames).toEqual(file.frames)
      const [counted] = await fetchRows(store, sql<{ n: bigint }>`select count(*) as n from utxo`)
      expect(seen.get('utxo')).toBe(Number(counted?.n))
    })

    test('lets a writer continue', async () => {
      const half = await open()
      const { writer, state } = await Writer.open(half, genesis, constants)
      const blocks = [...follow(state, chains)]
      const middle = Math.floor(blocks.length / 2)
      await writer.commit(blocks.slice(0, middle))
      const { frames: written } = await fileOf(half)
      const store = await open()
      await SnapshotFile.read(store, chunks(Bytes.concat(...written)))
      const next = await Writer.open(store, genesis, constants)
      await next.writer.commit(blocks.slice(middle))
      expect(Hex.encode(await StateDigest.of(store))).toBe(Hex.encode(file.digest))
    })

    test('is not read into a database that contains a network', async () => {
      const store = await open()
      await Writer.open(store, genesis, constants)
      const before = await StateDigest.of(store)
      expect(await codeOf(SnapshotFile.read(store, chunks(bytes)))).toBe('STORE_NETWORK')
      expect(await StateDigest.of(store)).toEqual(before)
    })

    test('stores nothing if the file is not what was expected', async () => {
      const store = await open()
      const [first, ...rest] = file.frames as [Uint8Array, ...Uint8Array[]]
      const last = rest.pop() as Uint8Array
      const whole = (...parts: readonly Uint8Array[]) => chunks(Bytes.concat(...parts))
      const other = new Uint8Array(32).fill(1)
      const cases: [string, AsyncIterable<Uint8Array>, SnapshotFile.ReadOptions?][] = [
        ['STORE_SNAPSHOT', chunks(bytes), { digest: other }],
        ['STORE_NETWORK', chunks(bytes), { genesisId: other }],
        ['STORE_SNAPSHOT', chunks(bytes.subarray(0, bytes.length - 1))],
        ['STORE_SNAPSHOT', chunks(new Uint8Array())],
        ['STORE_SNAPSHOT', whole(first, ...rest)],
        ['STORE_SNAPSHOT', whole(...rest, last)],
        [
          'STORE_SNAPSHOT',
          whole(
            first,
            await withHeader(rest[0] as Uint8Array, (header) => (header['rows'] = 0)),
            ...rest.slice(1),
            last,
          ),
        ],
        ['STORE_SNAPSHOT', whole(first, first, ...rest, last)],
        ['STORE_SNAPSHOT', whole(first, ...rest.slice(1), last)],
        ['STORE_SNAPSHOT', whole(first, ...rest, last, last)],
        [
          'STORE_SNAPSHOT',
          whole(first, ...rest, await withHeader(last, (header) => (header['digest'] = '0x00'))),
        ],
        ['STORE_SNAPSHOT', whole(await withHeader(first, (header) => (header['format'] = 2)), ...rest, last)],
        ['STORE_SNAPSHOT', whole(await withHeader(first, (header) => (header['tips'] = {})), ...rest, last)],
        ['STORE_SNAPSHOT', whole(first, frames.encode({ kind: 'rows', table: 'pg_class', rows: 1 }), last)],
        ['STORE_SNAPSHOT', whole(first, frames.encode({ kind: 'other' }), last)],
      ]
      for (const [code, read, options] of cases) {
        expect(await codeOf(SnapshotFile.read(store, read, options))).toBe(code)
        expect(await codeOf(store.snapshot())).toBe('STORE_EMPTY')
      }
    })
  })
})

test('frames are the same after writing and reading, for chunks of any size', async () => {
  const frame = fc.record({ header: fc.jsonValue(), body: fc.uint8Array() })
  await fc.assert(
    fc.asyncProperty(fc.array(frame), fc.integer({ min: 1, max: 50 }), async (written, size) => {
      const bytes = Bytes.concat(...written.map(({ header, body }) => frames.encode(header, body)))
      const read = await all(frames.decode(chunks(bytes, size)))
      expect(read.map(({ header, body }) => ({ header, body: new Uint8Array(body) }))).toEqual(
        JSON.parse(JSON.stringify(written.map(({ header }) => header))).map((header: unknown, i: number) => ({
          header,
          body: written[i]?.body,
        })),
      )
    }),
  )
})

test('refuses a frame that claims to be too long before reading it', async () => {
  const long = Uint8Array.of(0xff, 0xff, 0xff, 0xff)
  expect(await codeOf(all(frames.decode(chunks(long))))).toBe('STORE_SNAPSHOT')
})
