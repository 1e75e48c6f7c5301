import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHAIN_ALIASES } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import { codeOf } from '@firn/sql/testing'
import { afterAll, expect, test } from 'vitest'
import { Store } from './Store.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')
const blocks = [...follow(LedgerState.create(genesis, constants), chains)]
const folder = mkdtemp(join(tmpdir(), 'firn-folder-'))
afterAll(async () => rm(await folder, { recursive: true, force: true }))

/** A child process that stores blocks one by one and reports each stored block. */
const CHILD = new URL('./testing/storeAll.ts', import.meta.url).pathname

test('opens a folder in only one process, and keeps the commits of a process that was killed', async () => {
  const path = await folder
  const child = spawn(process.execPath, ['--conditions=source', CHILD, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const confirmed = await new Promise<number>((resolve) => {
    let count = 0
    child.stdout.on('data', (data: Buffer) => {
      count += data.toString().split('\n').length - 1
      if (count >= 20) resolve(count)
    })
  })
  expect(await codeOf(Store.open({ folder: path }))).toBe('STORE_IN_USE')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  const store = await Store.open({ folder: path })
  expect(await codeOf(Store.open({ folder: path }))).toBe('STORE_IN_USE')
  const { writer, state } = await Writer.open(store, genesis, constants)
  const heights = CHAIN_ALIASES.map((chain) => Number(LedgerState.tip(state, chain).height))
  const stored = heights.reduce((sum, height) => sum + height, 0)
  expect(stored).toBeGreaterThanOrEqual(confirmed)
  await writer.commit(blocks.slice(stored))
  await store.close()
  const again = await Store.open({ folder: path })
  expect((await again.snapshot()).key).toBe('85.35.83')
  await again.close()
})
