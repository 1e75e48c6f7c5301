import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IndexState } from '@firn/node-api'
import { until } from '@firn/runtime/testing'
import { Snapshots } from '@firn/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as IndexKeeper from './IndexKeeper.ts'
import * as IndexStateFile from './IndexStateFile.ts'

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'firn-index-'))
  folder = root
})
afterEach(() => rm(root, { recursive: true }))

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Returns a store whose height the test controls. */
function growing() {
  const listeners = new Set<() => void>()
  let height = 0n
  return {
    grow(to: bigint) {
      height = to
      for (const listener of listeners) listener()
    },
    listeners,
    store: {
      snapshot: async () => {
        const at = { height, blockId: new Uint8Array(32), time: 0n }
        return Snapshots.create({ P: at, X: at, C: at })
      },
      onAdvance: (listener: () => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
}

function open(store: IndexKeeper.KeeperOptions['store'], enabled: boolean, allowIncomplete = false) {
  return IndexKeeper.open({ folder, store, enabled, allowIncomplete, log: silent, writeEveryMs: 1 })
}

test("restores the index's last height and its completeness after a restart", async () => {
  const { store, grow } = growing()
  const first = await open(store, true)
  grow(75n)
  await first.close()
  const refused = open(store, false)
  await expect(refused).rejects.toMatchObject({
    code: 'NODE_INDEX',
    message: 'running would cause index to become incomplete but incomplete indices are disabled',
    details: { chainName: 'P' },
  })
  const off = await open(store, false, true)
  expect(off.spans('C')).toEqual([{ first: 1n, last: 75n }])
  grow(76n)
  await off.close()
  await expect(open(store, true)).rejects.toMatchObject({
    message: 'index is incomplete but incomplete indices are disabled. Shutting down',
  })
  const again = await open(store, true, true)
  expect(again.spans('C')).toEqual([{ first: 1n, last: 75n }, { first: 77n }])
  await again.close()
})

test('saves heights while blocks arrive, and not only on close', async () => {
  const { store, grow } = growing()
  const keeper = await open(store, true)
  grow(5n)
  await until(async () => expect((await IndexStateFile.read(folder)).chains.X.accepted).toBe(5n))
  grow(9n)
  await until(async () => expect((await IndexStateFile.read(folder)).chains.X.accepted).toBe(9n))
  await keeper.close()
})

test('saves the stored heights before it serves requests', async () => {
  const { store, grow } = growing()
  grow(85n)
  const off = await open(store, false)
  expect((await IndexStateFile.read(folder)).chains.P).toMatchObject({ accepted: 85n, incomplete: true })
  await off.close()
  const on = await open(store, true, true)
  expect(on.spans('P')).toEqual([{ first: 86n }])
  await on.close()
})

test('saves the last heights on close even if no notification arrived', async () => {
  const { store, grow, listeners } = growing()
  const keeper = await open(store, true)
  grow(3n)
  await until(async () => expect((await IndexStateFile.read(folder)).chains.C.accepted).toBe(3n))
  listeners.clear()
  grow(7n)
  await keeper.close()
  expect((await IndexStateFile.read(folder)).chains.C.accepted).toBe(7n)
})

test('makes no queries while no blocks arrive', async () => {
  const { store, grow } = growing()
  const snapshot = vi.fn(store.snapshot)
  const keeper = await open({ ...store, snapshot }, true)
  grow(1n)
  await until(async () => expect((await IndexStateFile.read(folder)).chains.X.accepted).toBe(1n))
  const asked = snapshot.mock.calls.length
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(snapshot.mock.calls.length).toBe(asked)
  await keeper.close()
})

test('creates the data folder if it is missing', async () => {
  const { store } = growing()
  folder = join(folder, 'data')
  await (await open(store, true)).close()
  expect(await readdir(folder)).toEqual([IndexStateFile.NAME])
})

test('moves the state of an earlier version to the first network that is started, and to no other', async () => {
  const { store } = growing()
  await (await open(store, true)).close()
  const text = await readFile(join(folder, IndexStateFile.NAME), 'utf8')
  const [fuji, mainnet] = [join(folder, 'primary_5'), join(folder, 'primary_1')]
  for (const network of [fuji, mainnet, fuji]) await IndexStateFile.move(folder, network)
  expect(await readFile(join(fuji, IndexStateFile.NAME), 'utf8')).toBe(text)
  expect(await IndexStateFile.read(mainnet)).toEqual(IndexState.INITIAL)
})

test('saves the start of a run before it serves requests, and removes its listeners on close', async () => {
  const { store, listeners } = growing()
  const keeper = await open(store, true)
  const state = await IndexStateFile.read(folder)
  expect(state).toMatchObject({ hasRun: true, chains: { C: { previouslyIndexed: true } } })
  expect(listeners.size).toBe(1)
  await keeper.close()
  expect(listeners.size).toBe(0)
  expect(await readdir(folder)).toEqual([IndexStateFile.NAME])
})

test('keeps the index state in memory if no folder is given', async () => {
  const { store } = growing()
  const keeper = await IndexKeeper.open({
    folder: undefined,
    store,
    enabled: true,
    allowIncomplete: false,
    log: silent,
  })
  expect(keeper.spans('P')).toEqual([{ first: 1n }])
  await keeper.close()
})

test('rejects an invalid state file of the index at startup and leaves the file unchanged', async () => {
  const { store } = growing()
  for (const text of ['', '{"hasRun":true}', '[]']) {
    await writeFile(join(folder, IndexStateFile.NAME), text)
    await expect(open(store, true)).rejects.toMatchObject({ code: 'NODE_CONFIGURATION' })
    expect(await readFile(join(folder, IndexStateFile.NAME), 'utf8')).toBe(text)
  }
})

test('logs a database error during a save and continues', async () => {
  const { store, grow } = growing()
  const warn = vi.fn()
  let isDown = true
  const flaky = {
    ...store,
    snapshot: async () => {
      if (isDown) throw new TypeError('gone')
      return store.snapshot()
    },
  }
  const log = { ...silent, warn }
  const settings = { enabled: true, allowIncomplete: false, writeEveryMs: 1 }
  const keeper = await IndexKeeper.open({ folder, store: flaky, log, ...settings })
  await until(() => expect(warn).toHaveBeenCalled())
  isDown = false
  grow(3n)
  await until(async () => expect((await IndexStateFile.read(folder)).chains.P.accepted).toBe(3n))
  await keeper.close()
})
